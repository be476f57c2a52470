// The calls with which administrators see messages before people get them.
import { Type } from 'typebox';
import { defineRoute, type Route } from '../contract/route.ts';
import { NamedObject, Nullable, Text } from '../contract/schemas.ts';
import { toManager } from '../foundation/authority.ts';
import type { MessageTests, TestedMessage } from './message-tests.ts';
import { testMessage } from './templates.ts';

const name = Text({ minLength: 1, maxLength: 200, description: 'The setting with the texts.' });
const members = ({ value, appKey }: Record<'value' | 'appKey', string>) => ({
  value: Type.Optional(Type.Unknown({ description: value })),
  appKey: Type.Optional(Nullable(Text({ maxLength: 100, description: appKey }))),
});
const previewed = members({
  value: 'Texts in place of those in force. They are not stored.',
  appKey: 'The front end whose brand the message shows. Default: the calling one.',
});
// The caller has permissions, and gets what all messages to such an account have.
const sent = members({
  value:
    'The texts to send. They are not stored. Without them, the message has the built-in ones, also if others are in force.',
  appKey:
    'With `value`: the front end whose brand the message shows. Default: the calling one. Without `value`, it shows the application.',
});

export type MessageTestRouteDeps = {
  messageTests: MessageTests;
  frontEnds: { require(appKey: string): string };
};

export function messageTestRoutes({ messageTests, frontEnds }: MessageTestRouteDeps): Route[] {
  type Input = { name?: string; value?: unknown; appKey?: string | null };
  const toMessage = ({ name: named = testMessage.name, value, appKey }: Input, calling: string): TestedMessage => ({
    name: named,
    ...(value !== undefined && { value }),
    frontEnd: appKey ? frontEnds.require(appKey) : calling,
  });
  return [
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Message/Preview',
      summary: 'Show a message with sample values, in the brand of a front end. Nothing is sent.',
      access: 'pages:maintenance',
      body: Type.Object({ name, ...previewed }),
      result: NamedObject('MessagePreview', {
        sms: Type.String({ description: 'Each text is empty if the message has none.' }),
        subject: Type.String(),
        text: Type.String(),
        html: Type.String(),
      }),
      handle: async ({ input, origin }) => messageTests.preview(toMessage(input, origin.frontEnd)),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/services/app/Message/SendTest',
      summary:
        'Send a message with sample values to the verified address of the caller: up to 50 e-mails a day, and as many SMS as a number gets. The audit trail has the result.',
      access: 'pages:maintenance',
      limit: 'otp',
      body: Type.Object({
        name: Type.Optional(name),
        means: Type.Union([Type.Literal('email'), Type.Literal('sms')]),
        ...sent,
      }),
      result: NamedObject('QueuedTest', { to: Type.String({ description: 'The address of the caller.' }) }),
      handle: async ({ input, ...call }) => ({
        to: await messageTests.send(toMessage(input, call.origin.frontEnd), input.means, toManager(call)),
      }),
    }),
  ];
}
