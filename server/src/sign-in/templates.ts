// The message that carries a sign-in pin.
import { defineMessage } from '../delivery/index.ts';

export const signInPinMessage = defineMessage({
  name: 'SignInPin',
  label: 'Message: pin to sign in',
  description: 'Carries the pin of a passwordless sign-in.',
  order: 310,
  allowed: ['pin', 'minutes', 'name', 'username', 'application'],
  needed: ['pin'],
  words: {
    sms: '{{pin}} is your {{application}} pin to sign in, valid for {{minutes}} min. Never share it with anyone.',
    subject: 'Your pin to sign in to {{application}}',
    text: `Hello {{name}},

your pin to sign in to {{application}} is

    {{pin}}

It is valid for {{minutes}} minutes, and works once. Never share it with anyone.

If you did not ask for it, another person has typed your name. You do not need to do anything.
`,
    html: `<p>Hello {{name}},</p>
<p>your pin to sign in to {{application}} is</p>
<p style="font-size:1.8em;letter-spacing:.2em"><strong>{{pin}}</strong></p>
<p>It is valid for {{minutes}} minutes, and works once. Never share it with anyone.</p>
<p>If you did not ask for it, another person has typed your name. You do not need to do anything.</p>
`,
  },
});
