/**
 * What was selected last in a terminal of this page: Linux calls it the primary selection. A page cannot read the
 * system's, so this is what Shift+Insert pastes, and middle click where the browser does not do it by itself.
 */
export const primarySelection = { text: '' }
