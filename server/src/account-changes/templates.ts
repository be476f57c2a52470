// The messages that tell an account owner what an administrator has changed.
import { defineNotice } from '../delivery/index.ts';

export const addressesReplacedMessage = defineNotice({
  name: 'AddressesReplaced',
  label: 'Message: addresses changed by an administrator',
  description:
    'Tells every verified address that an account had that an administrator changed its verified e-mail address or mobile number.',
  order: 335,
  allowed: ['name', 'username', 'application'],
  needed: [],
  change: 'An administrator changed the verified e-mail address or mobile number.',
  isUrgent: true,
  words: {
    sms: '{{application}}: an administrator changed the verified e-mail address or mobile number of your account. Did you not expect this? Tell another administrator.',
    subject: 'An administrator changed your addresses for {{application}}',
    text: `Hello {{name}},

an administrator changed the verified e-mail address or mobile number of your account {{username}} with {{application}}. A
verified address can set a new password. You get this message at each address that was verified before.

If you expected this, you do not need to do anything.

If you did not, tell another administrator at once. Then sign in, and check the addresses on your account page.
`,
    html: `<p>Hello {{name}},</p>
<p>an administrator changed the verified e-mail address or mobile number of your account <strong>{{username}}</strong> with
{{application}}. A verified address can set a new password. You get this message at each address that was verified before.</p>
<p>If you expected this, you do not need to do anything.</p>
<p>If you did not, tell another administrator at once. Then sign in, and check the addresses on your account page.</p>
`,
  },
});

export const changedByAdministratorMessage = defineNotice({
  name: 'ChangedByAdministrator',
  label: 'Message: password or name changed by an administrator',
  description:
    'Tells every verified address of an account that an administrator set a new password, changed the user name or an address that is not verified, or linked an external sign-in.',
  order: 339,
  allowed: ['change', 'name', 'username', 'application'],
  needed: ['change'],
  change: 'An administrator set a new password.',
  words: {
    sms: '{{application}}: {{change}} Your user name is {{username}}. Did you not expect this? Tell another administrator.',
    subject: 'An administrator changed your account with {{application}}',
    text: `Hello {{name}},

this was changed in your account {{username}} with {{application}}:

    {{change}}

If you expected this, you do not need to do anything.

If you did not, tell another administrator at once.
`,
    html: `<p>Hello {{name}},</p>
<p>this was changed in your account <strong>{{username}}</strong> with {{application}}:</p>
<p><strong>{{change}}</strong></p>
<p>If you expected this, you do not need to do anything.</p>
<p>If you did not, tell another administrator at once.</p>
`,
  },
});
