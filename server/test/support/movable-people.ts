// People who move from one installation to another, as lines of an import file: each with a hash, an authenticator app and an external login.
import { hash as argon2 } from '@node-rs/argon2';

/** The authenticator app of each. */
export const MOVED_TOTP = { secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' };

/** `user1` and so on. @param password of each; its hash costs next to nothing, because people are moved with it and not signed in. */
export async function* movablePeople(count: number, password: string): AsyncGenerator<string> {
  const passwordHash = await argon2(password, { memoryCost: 64, timeCost: 1, parallelism: 1 });
  for (let number = 1; number <= count; number += 1) {
    const userName = `user${number}`;
    const person = {
      // The administrator of the other installation has the id 1.
      id: number + 1,
      userName,
      emailAddress: `${userName}@example.org`,
      passwordHash,
      totp: MOVED_TOTP,
      externalLogins: [{ provider: 'auth0', providerKey: `auth0|${number}` }],
    };
    yield `${JSON.stringify(person)}\n`;
  }
}
