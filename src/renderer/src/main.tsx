import '@xterm/xterm/css/xterm.css'
import './styles/colors.css'
import './styles/base.css'
import './styles/layout.css'
import './styles/sidebar.css'
import './styles/tabs.css'
import './styles/states.css'
import './styles/messages.css'
import './styles/terminal.css'
import { createRoot } from 'react-dom/client'
import { openPageBridge } from './bridge/pageBridge'
import { App } from './components/App'
import { setConnection } from './stores/connection'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(<App page={openPageBridge(setConnection)} />)
