// A session as its owner and administrators read it. It tells no token.
import { type Static, type TObject, Type } from 'typebox';
import { NamedObject, Nullable } from '../contract/schemas.ts';
import { toIsoString } from '../foundation/clock.ts';
import type { Session } from './session.ts';

export const sessionMembers = {
  id: Type.String(),
  frontEnd: Type.String(),
  ipAddress: Nullable(Type.String()),
  userAgent: Nullable(Type.String()),
  signedInAt: Type.String({ format: 'date-time' }),
  lastRefreshedAt: Nullable(Type.String({ format: 'date-time' })),
  method: Type.String({ description: 'pwd, otp or ext' }),
  application: Nullable(
    NamedObject('SessionApplication', {
      name: Type.String({
        description: 'The application that stays signed in by this session, whoever signs off elsewhere.',
      }),
    }),
  ),
};

/** A session, and the application whose `offline_access` it is for. */
export type ListedSession = Session & { readonly application: { name: string } | null };

/** @param name the name of its application, if it is for one. */
export const toListed = (session: Session, name: string | undefined): ListedSession => ({
  ...session,
  application: name === undefined ? null : { name },
});

export const toSessionMembers = (session: ListedSession): Static<TObject<typeof sessionMembers>> => ({
  id: session.id,
  frontEnd: session.frontEnd,
  ipAddress: session.ipAddress,
  userAgent: session.userAgent,
  signedInAt: toIsoString(session.signedInAt),
  lastRefreshedAt: session.lastRefreshedAt === null ? null : toIsoString(session.lastRefreshedAt),
  method: session.amr[0] ?? '',
  application: session.application,
});
