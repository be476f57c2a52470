// Where this tab keeps the authorization request while the person is at the provider.
export const REQUEST_KEY = 'latchkey:provider-trip';
