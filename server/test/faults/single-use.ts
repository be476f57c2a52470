// Pins and tokens that work once, and that a call refused with 503 must leave unused.
import assert from 'node:assert/strict';
import type { Held, Person } from './person.ts';
import type { Registrant, Registrants } from './registrants.ts';
import type { World } from './world.ts';

/** Tells what the last call of this person came to, for the message of a failed test. */
function lastOf(world: World, { userName }: Person): string {
  const last = world.ledger.entries.findLast(({ caller }) => caller === userName);
  return `${userName}: ${last?.call} was ${last?.outcome}, ${last?.status ?? 'no answer'} ${last?.reason ?? ''}`;
}

export async function takeSession(person: Person): Promise<Held> {
  const held = await person.signIn();
  assert.ok(held, `${person.userName} signs in`);
  return held;
}

export type HeldPin = { person: Person; operationId: string; pin: string };

/** Requests a pin to sign in with, and waits for it. */
export async function takePin(world: World, person: Person): Promise<HeldPin> {
  const operationId = await person.askPin();
  assert.ok(operationId, lastOf(world, person));
  return { person, operationId, pin: await world.readPin(person) };
}

export type HeldResetToken = { person: Person; token: string };

/** Requests a pin to reset the password with, waits for it, and exchanges it for a reset token. */
export async function takeReset(world: World, person: Person): Promise<HeldResetToken> {
  const operationId = await person.askResetPin();
  assert.ok(operationId, lastOf(world, person));
  const token = await person.giveResetPin(operationId, await world.readPin(person));
  assert.ok(token, lastOf(world, person));
  return { person, token };
}

/** One of each. */
export type OneOfEach = {
  used: Held;
  refreshed: Held;
  left: Held;
  changed: Held;
  pin: HeldPin;
  reset: HeldResetToken;
  proof: Registrant;
};

/** @param people three: one with sessions, one with a pin, one with a reset token. */
export async function takeOneOfEach(world: World, people: Person[], registrants: Registrants): Promise<OneOfEach> {
  const [bearer, pinned, resetting] = people as [Person, Person, Person];
  const [pin, reset, proof] = await Promise.all([
    takePin(world, pinned),
    takeReset(world, resetting),
    registrants.prove(),
  ]);
  const sessions = [await takeSession(bearer), await takeSession(bearer), await takeSession(bearer)];
  const [used, refreshed, left] = sessions as [Held, Held, Held];
  return { used, refreshed, left, changed: await takeSession(bearer), pin, reset, proof };
}

/** Tries each of them once, the password last: it ends the other sessions. @returns each outcome, by name. */
export async function tryOneOfEach(people: Person[], registrants: Registrants, held: OneOfEach, password: string) {
  const [bearer] = people as [Person];
  const { used, refreshed, left, changed, pin, reset, proof } = held;
  return {
    'sign in': (await bearer.signIn()) ? 'done' : 'not done',
    use: (await bearer.use(used))?.status,
    refresh: (await bearer.refresh(refreshed)).answer?.status,
    'sign off': (await bearer.signOff(left))?.status,
    'give a pin': (await pin.person.givePin(pin.operationId, pin.pin)) ? 'done' : 'not done',
    'ask for a pin': (await bearer.askPin()) ? 'done' : 'not done',
    'reset password': await reset.person.resetPassword(reset.token, password),
    register: await registrants.register(proof),
    'change password': await bearer.changePassword(changed, password),
  };
}

/** What {@link tryOneOfEach} returns when the service is sound. */
export const allDone = {
  'sign in': 'done',
  use: 200,
  refresh: 200,
  'sign off': 200,
  'give a pin': 'done',
  'ask for a pin': 'done',
  'reset password': 'done',
  register: 'done',
  'change password': 'done',
} as const;

/** What it returns while there is no store: each call was answered with 503. */
export const allUnavailable = {
  'sign in': 'not done',
  use: 503,
  refresh: 503,
  'sign off': 503,
  'give a pin': 'not done',
  'ask for a pin': 'not done',
  'reset password': 'unknown',
  register: 'unknown',
  'change password': 'unknown',
} as const;
