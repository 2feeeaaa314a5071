import { expect, test } from 'vitest'
import { asksForSecret } from './secretPrompt'

const asks = (text: string): boolean => asksForSecret(Buffer.from(text))

test.each([
  'Last login: today\r\n[sudo] password for ann: ',
  "ann@example.com's password: ",
  'Password:',
  '\x1b[1mPassword:\x1b[0m ',
  "Enter passphrase for key '/home/ann/.ssh/id_ed25519': ",
  'Verification code: ',
  'Enter PIN for authenticator: ',
  'New password: \x1b[?25h',
  '[sudo] password for ann: ****',
  'Passwort: ',
  'Mot de passe : ',
  '密码：',
  "Password for 'https://ann@example.com': "
])('%j asks for a secret', (text) => {
  expect(asks(text)).toBe(true)
})

test.each([
  'ann@example:~$ ',
  'ann@example:~$ echo password: ',
  'example% passwd: ',
  'ann@example ~> echo Password:',
  '>>> ',
  ':',
  'Password: \r\n',
  'Password: \r\nSorry, try again.\r\n',
  'Password changed for ann. ',
  'Your password expires in 3 days\r\nann@example:~$ ',
  '\x1b[24;1Hroot:password:\x1b[1;1H',
  'mysql> select password: ',
  'Name: ',
  'Reset the passwords: ',
  ''
])('%j asks for none', (text) => {
  expect(asks(text)).toBe(false)
})
