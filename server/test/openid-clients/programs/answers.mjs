// What the programs in Node share: their variables, and answers.

/** Of the provider, and of the program's own registration and address. */
export const { ISSUER = '', CLIENT_ID = '', CLIENT_SECRET = '', PORT = '' } = process.env;
export const ORIGIN = `http://localhost:${PORT}`;

/** Returns what the test looks at. */
export const whoIs = ({ sub, email, groups }) => ({ sub, email, groups });

/** An endpoint of the service, as its discovery names it. */
export async function discover() {
  const answer = await fetch(`${ISSUER}/.well-known/openid-configuration`);
  return answer.json();
}
