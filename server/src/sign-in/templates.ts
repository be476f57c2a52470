// The words that bring a pin to sign in with.
import { defineMessage } from '../delivery/index.ts';

export const signInPinMessage = defineMessage({
  name: 'SignInPin',
  label: 'Message: pin to sign in',
  description: 'Brings the pin of a passwordless sign-in.',
  order: 310,
  allowed: ['pin', 'minutes', 'name', 'application'],
  needed: ['pin'],
  words: {
    sms: '{{pin}} is your {{application}} pin to sign in, valid for {{minutes}} min. Never give it to anybody who asks for it.',
    subject: 'Your pin to sign in to {{application}}',
    text: `Hello {{name}},

your pin to sign in to {{application}} is

    {{pin}}

It is valid for {{minutes}} minutes, and once. Never give it to anybody who asks for it.

You did not ask for it? Then somebody else typed your name. You need do nothing.
`,
    html: `<p>Hello {{name}},</p>
<p>your pin to sign in to {{application}} is</p>
<p style="font-size:1.8em;letter-spacing:.2em"><strong>{{pin}}</strong></p>
<p>It is valid for {{minutes}} minutes, and once. Never give it to anybody who asks for it.</p>
<p>You did not ask for it? Then somebody else typed your name. You need do nothing.</p>
`,
  },
});
