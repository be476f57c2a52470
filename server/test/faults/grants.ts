// An application that acts for a person, whose calls the ledger records: refreshes its tokens, asks for the person, revokes.
import assert from 'node:assert/strict';
import { type Application, grant } from '../support/authorization.ts';
import { callForm, type Person } from './person.ts';
import type { World } from './world.ts';

/** The tokens of a grant, as one of the clients of the application has them. */
export type Tokens = {
  readonly id: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** How many refreshes came before. */
  readonly generation: number;
};

type TokenAnswer = { readonly access_token: string; readonly refresh_token: string };

const grantOf = (accessToken: string): string =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).sid;

export function createGrantHolder(deps: { world: World; application: Application; person: Person }) {
  const { world, application, person } = deps;
  const { basic } = application;
  const caller = person.userName;
  /** What each refresh token has led to. */
  const followers = new Map<string, string>();

  const post = (path: string, form: Record<string, string>, authorization = basic) =>
    callForm(world.nextUrl(), path, { form, authorization, caller });

  return {
    /** Resolves to nothing if the sign-in or one of its answers is lost. */
    async open(): Promise<Tokens | undefined> {
      const held = await person.signIn();
      const granted =
        held && (await grant(world.nextUrl(), application, 'openid profile', held.token).catch(() => undefined));
      return granted && { ...granted, id: grantOf(granted.accessToken), generation: 0 };
    },
    use({ id, accessToken, generation }: Tokens) {
      const deed = { call: 'ask for the person', caller, grant: { id, does: 'use', generation } } as const;
      return world.ledger.record(deed, () => post('/oauth/userinfo', {}, `Bearer ${accessToken}`));
    },
    async refresh({ id, refreshToken, generation }: Tokens) {
      const deed = { call: 'refresh a grant', caller, grant: { id, does: 'refresh', generation } } as const;
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
      const answer = await world.ledger.record(deed, () => post('/oauth/token', form));
      if (answer?.status !== 200) return { held: undefined, answer };
      const { access_token, refresh_token } = answer.body as TokenAnswer;
      assert.equal(followers.get(refreshToken) ?? refresh_token, refresh_token, 'a refresh token leads to one other');
      followers.set(refreshToken, refresh_token);
      const held = { id, accessToken: access_token, refreshToken: refresh_token, generation: generation + 1 };
      return { held, answer };
    },
    signOff({ id, refreshToken, generation }: Tokens) {
      const deed = { call: 'revoke a grant', caller, grant: { id, does: 'end', generation } } as const;
      return world.ledger.record(deed, () => post('/oauth/revoke', { token: refreshToken }));
    },
  };
}
