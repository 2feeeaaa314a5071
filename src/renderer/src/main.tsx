import '@xterm/xterm/css/xterm.css'
import './styles/colors.css'
import './styles/base.css'
import './styles/layout.css'
import './styles/sidebar.css'
import './styles/rail.css'
import './styles/tabs.css'
import './styles/states.css'
import './styles/messages.css'
import './styles/overlays.css'
import './styles/terminal.css'
import './styles/commandMarks.css'
import './styles/dialogs.css'
import './styles/heads.css'
import './styles/settings.css'
import './styles/textView.css'
import './styles/agents.css'
import './styles/activity.css'
import './styles/connect.css'
import { createRoot } from 'react-dom/client'
import { followAppearance } from './appearance/appearance'
import { terminalFontsReady } from './appearance/fonts'
import { addSymbols } from './appearance/symbols'
import { openPageBridge } from './bridge/pageBridge'
import { App } from './components/App'
import { setConnection } from './stores/connection'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
followAppearance()
addSymbols()
await terminalFontsReady()
createRoot(root).render(<App page={openPageBridge(setConnection)} />)
