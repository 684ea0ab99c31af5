/** The one stylesheet of the dashboard and of files that stand alone. Colours and sizes are tokens, for light and dark. */
export const STYLESHEET = "";
