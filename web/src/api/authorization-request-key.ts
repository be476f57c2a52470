// What pages know of authorization requests before one is made.

/** Where this tab keeps the authorization request while the person is at the provider. */
export const REQUEST_KEY = 'latchkey:provider-trip';

/** Whether this page can redirect to a provider. PKCE needs `crypto.subtle`, which exists in secure contexts only. */
export const canRedirect = isSecureContext;
