// proxy.js
export { proxy } from './sessions';

export const config = { matcher: ['/((?!_next/|favicon.ico).*)'] };
