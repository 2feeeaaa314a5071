import { afterAll } from 'vitest'
import { removeWorlds } from './tandem'

// The last thing of every file, whatever failed in it: hooks of the set-up run after those of the file.
afterAll(removeWorlds)
