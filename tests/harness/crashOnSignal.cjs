// Preloaded into a host: SIGUSR2 makes it meet a failure that nobody catches, with the names of things to hide in it.
process.on('SIGUSR2', () => {
  const failure = new Error(`${process.env.HOME}/place failed for ${process.env.MY_SECRET_CANARY}`)
  throw Object.assign(failure, { code: 'ETEST' })
})
