// The messages to an address that a person wants to add: a pin that verifies it, or a notice to its present owner.
import { defineMessage } from '../delivery/index.ts';

/** The recipient may be unknown to the caller, so the message contains no text from the caller. */
export const verificationPinMessage = defineMessage({
  name: 'VerificationPin',
  label: 'Message: code to verify an address',
  description: 'Contains the code that verifies a new e-mail address or mobile number.',
  order: 320,
  allowed: ['pin', 'minutes', 'application'],
  needed: ['pin'],
  words: {
    sms: '{{pin}} is your {{application}} code to verify this number, valid for {{minutes}} min. Never share it with anyone.',
    subject: 'Your code to verify this address for {{application}}',
    text: `Hello,

your code to verify this e-mail address for {{application}} is

    {{pin}}

It is valid for {{minutes}} minutes, and works once. Never share it with anyone.

If you did not ask for it, another person has typed your address. You do not need to do anything.
`,
    html: `<p>Hello,</p>
<p>your code to verify this e-mail address for {{application}} is</p>
<p style="font-size:1.8em;letter-spacing:.2em"><strong>{{pin}}</strong></p>
<p>It is valid for {{minutes}} minutes, and works once. Never share it with anyone.</p>
<p>If you did not ask for it, another person has typed your address. You do not need to do anything.</p>
`,
  },
});

/** Goes to the address of an existing account, instead of the pin that the caller requested. */
export const addressInUseMessage = defineMessage({
  name: 'AddressInUse',
  label: 'Message: address in use',
  description: 'Tells an account owner that a person tried to use their address for another account.',
  order: 322,
  allowed: ['application'],
  needed: [],
  words: {
    sms: '{{application}}: you or another person tried to use this number, but you have an account with it. Sign in or reset the password. Nothing was changed.',
    subject: 'You already have an account with {{application}}',
    text: `Hello,

you or another person tried to use this e-mail address for another account with {{application}}.

You already have an account with this address. Sign in to it, or reset its password if you do not remember it.

Nothing was changed. If it was not you, you do not need to do anything.
`,
    html: `<p>Hello,</p>
<p>you or another person tried to use this e-mail address for another account with {{application}}.</p>
<p>You already have an account with this address. Sign in to it, or reset its password if you do not remember it.</p>
<p>Nothing was changed. If it was not you, you do not need to do anything.</p>
`,
  },
});
