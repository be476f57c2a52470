// The words that go to an address somebody claims as theirs: a pin that proves it, or a notice to whoever has it already.
import { defineMessage } from './template.ts';

/** Goes to strangers: nothing in it comes from whoever asked. */
export const verificationPinMessage = defineMessage({
  name: 'VerificationPin',
  label: 'Message: pin to verify an address',
  description: 'Brings the pin that proves a new e-mail address or mobile number.',
  order: 320,
  allowed: ['pin', 'minutes', 'application'],
  needed: ['pin'],
  words: {
    sms: '{{pin}} is your {{application}} pin to verify this number, valid for {{minutes}} min. Never give it to anybody who asks for it.',
    subject: 'Your pin to verify this address for {{application}}',
    text: `Hello,

your pin to verify this e-mail address for {{application}} is

    {{pin}}

It is valid for {{minutes}} minutes, and once. Never give it to anybody who asks for it.

You did not ask for it? Then somebody else typed your address. You need do nothing.
`,
    html: `<p>Hello,</p>
<p>your pin to verify this e-mail address for {{application}} is</p>
<p style="font-size:1.8em;letter-spacing:.2em"><strong>{{pin}}</strong></p>
<p>It is valid for {{minutes}} minutes, and once. Never give it to anybody who asks for it.</p>
<p>You did not ask for it? Then somebody else typed your address. You need do nothing.</p>
`,
  },
});

/** Goes to an account's own address, in place of a pin for whoever asked. */
export const addressInUseMessage = defineMessage({
  name: 'AddressInUse',
  label: 'Message: address in use',
  description: 'Tells the owner of an account that somebody tried to use its address for another one.',
  order: 322,
  allowed: ['application'],
  needed: [],
  words: {
    sms: '{{application}}: somebody, perhaps you, tried to use this number, but you have an account with it. Sign in or reset the password. Nothing was changed.',
    subject: 'You already have an account with {{application}}',
    text: `Hello,

somebody, perhaps you, tried to use this e-mail address for another account with {{application}}.

You already have an account with this address: sign in to it, or reset its password if you do not remember it.

Nothing was changed. It was not you? You need do nothing.
`,
    html: `<p>Hello,</p>
<p>somebody, perhaps you, tried to use this e-mail address for another account with {{application}}.</p>
<p>You already have an account with this address: sign in to it, or reset its password if you do not remember it.</p>
<p>Nothing was changed. It was not you? You need do nothing.</p>
`,
  },
});
