// The nonce of this page's response. Style sheets that are created at run time need it.
export const styleNonce = document.querySelector<HTMLElement>('meta[property=csp-nonce]')?.nonce ?? '';
