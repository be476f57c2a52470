// The message that tells an account owner about a change of second factors.
import { defineNotice } from '../delivery/index.ts';

export const factorsChangedMessage = defineNotice({
  name: 'FactorsChanged',
  label: 'Message: second factors changed',
  description: 'Tells every verified address of an account that its second factors or passkeys were changed.',
  order: 338,
  allowed: ['change', 'name', 'username', 'application'],
  needed: [],
  change: 'The second factors were changed.',
  words: {
    sms: '{{application}}: {{change}} Not you? Change your password, and tell an administrator.',
    subject: 'Your second factors for {{application}} were changed',
    text: `Hello {{name}},

the second factors of your account with {{application}} were changed:

    {{change}}

If you did this or asked for it, you do not need to do anything.

If you did not, change your password at once: this ends all other sessions. Then tell an administrator.
`,
    html: `<p>Hello {{name}},</p>
<p>the second factors of your account with {{application}} were changed:</p>
<p><strong>{{change}}</strong></p>
<p>If you did this or asked for it, you do not need to do anything.</p>
<p>If you did not, change your password at once: this ends all other sessions. Then tell an administrator.</p>
`,
  },
});
