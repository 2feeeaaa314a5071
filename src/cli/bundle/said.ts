/** The form's address when nobody changed it: whichever host this computer has, on whatever port. */
export const ANY_ADDRESS = 'http://127.0.0.1:7681/mcp'

/** What a person entered; clients leave a field that was left empty as its placeholder, or as nothing. */
export function said(value: string | undefined): string | undefined {
  return value === undefined || value === '' || value.startsWith('${user_config.') ? undefined : value
}
