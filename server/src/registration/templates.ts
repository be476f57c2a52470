// The message that carries a link to register with.
import { defineMessage } from '../delivery/index.ts';

/** The recipient may not have asked for it. So the message contains no text from the caller. */
export const verificationLinkMessage = defineMessage({
  name: 'VerificationLink',
  label: 'Message: link to verify an address',
  description: 'Contains the link and the code that verify an e-mail address for registration.',
  order: 321,
  allowed: ['link', 'pin', 'minutes', 'application'],
  needed: ['link'],
  words: {
    sms: '{{application}}: verify this number at {{link}} within {{minutes}} min. Never share this link.',
    subject: 'Verify this address for {{application}}',
    text: `Hello,

please follow this link to verify this e-mail address for {{application}}:

{{link}}

Or type this code where you asked for it: {{pin}}

Both are valid for {{minutes}} minutes, and work once. Never share them with anyone.

If you did not ask for this, another person has typed your address. You do not need to do anything.
`,
    html: `<p>Hello,</p>
<p>please follow this link to verify this e-mail address for {{application}}:</p>
<p><a href="{{link}}">{{link}}</a></p>
<p>Or type this code where you asked for it: <strong>{{pin}}</strong></p>
<p>Both are valid for {{minutes}} minutes, and work once. Never share them with anyone.</p>
<p>If you did not ask for this, another person has typed your address. You do not need to do anything.</p>
`,
  },
});
