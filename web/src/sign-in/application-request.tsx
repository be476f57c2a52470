// The request of an application with which a person comes to the sign-in page.
import { Anchor, Text } from '@mantine/core';
import { type Calls, isLatchkeyError } from 'latchkey-sdk';
import { type ReactNode, use } from 'react';
import { at } from '../api/base-path.ts';
import { carriedQuery } from '../api/front-end.ts';
import { latchkey } from '../api/latchkey.ts';
import { words } from '../words/index.ts';
import { readAuthorization } from './after-sign-in.ts';
import { applicationTexts } from './application-texts.ts';
import { CardPage } from './card-page.tsx';
import { EndNotice } from './end-notice.tsx';
import { type Remaining, readRemaining } from './remaining.ts';

type ApplicationRequest = Calls['Authorization/Get']['result'];

async function read(): Promise<ApplicationRequest | undefined> {
  try {
    return await latchkey.call('Authorization/Get', { authorization: readAuthorization() ?? '' });
  } catch (error) {
    // 400: the id has another form.
    if (isLatchkeyError(error) && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  }
}

let reading: ReturnType<typeof read> | undefined;

/** Reads at the first call only. `undefined`: the service does not know the request, or no longer. */
export function findApplicationRequest() {
  reading ??= read();
  return reading;
}

/** What the sign-in page shows for an application: its title, the name that is typed in, and what remains if that is known. */
export type ForApplication = {
  readonly title: string;
  readonly name: string;
  readonly remaining: Remaining | undefined;
};

let findingRemaining: ReturnType<typeof readRemaining> | undefined;

/** Returns what remains for a person who is signed in already, and not idle for too long. Like the request, it is read once. */
function findRemaining() {
  const find = async () => ((await latchkey.signOffIfIdle()) ? readRemaining() : undefined);
  findingRemaining ??= find().catch(() => undefined);
  return findingRemaining;
}

/** The sign-in page of a request. Who is signed in already does not see its form. */
export function ApplicationSignIn({ children }: { children: (application: ForApplication) => ReactNode }) {
  const [request, remaining] = [use(findApplicationRequest()), use(findRemaining())];
  if (!request) return <RequestEnded />;
  const title = applicationTexts().authorization.title(request.application.name);
  return children({ title, name: request.loginHint ?? '', remaining });
}

export function RequestEnded() {
  const { title, text } = applicationTexts().authorization.ended;
  return (
    <CardPage title={title}>
      <EndNotice />
      <Text role="status">{text}</Text>
      <Anchor size="sm" href={at(`/login?${new URLSearchParams(carriedQuery)}`)}>
        {words.forgot.backToSignIn}
      </Anchor>
    </CardPage>
  );
}
