// The message that tells an account owner that a token of an application was used twice.
import { defineNotice } from '../delivery/index.ts';

export const grantReplayedMessage = defineNotice({
  name: 'GrantReplayed',
  label: 'Message: sign-in to an application ended',
  description:
    'Tells every verified address of an account that a code or refresh token of an application was used a second time.',
  order: 340,
  allowed: ['change', 'name', 'username', 'application'],
  needed: [],
  change: 'A sign-in to an application was used twice, and has ended.',
  words: {
    sms: '{{application}}: {{change}} If it happens again, tell an administrator.',
    subject: 'A sign-in to an application has ended',
    text: `Hello {{name}},

{{change}}

Somebody may have copied what the program keeps. So that nobody else can use it, the program must sign you in to {{application}} again.

If it happens again, tell an administrator.
`,
    html: `<p>Hello {{name}},</p>
<p><strong>{{change}}</strong></p>
<p>Somebody may have copied what the program keeps. So that nobody else can use it, the program must sign you in to {{application}} again.</p>
<p>If it happens again, tell an administrator.</p>
`,
  },
});
