// The words that bring a link to register with.
import { defineMessage } from '../delivery/index.ts';

/** Goes to strangers: nothing in it comes from whoever asked. */
export const verificationLinkMessage = defineMessage({
  name: 'VerificationLink',
  label: 'Message: link to verify an address',
  description: 'Brings the link, and the pin in it, that proves an e-mail address to register with.',
  order: 321,
  allowed: ['link', 'pin', 'minutes', 'application'],
  needed: ['link'],
  words: {
    sms: '{{application}}: verify this number at {{link}} within {{minutes}} min. Never pass this on.',
    subject: 'Verify this address for {{application}}',
    text: `Hello,

please follow this link to verify this e-mail address for {{application}}:

{{link}}

Or type this pin where you asked for it: {{pin}}

Both are valid for {{minutes}} minutes, and once. Never pass them on to anybody who asks for them.

You did not ask for it? Then somebody else typed your address. You need do nothing.
`,
    html: `<p>Hello,</p>
<p>please follow this link to verify this e-mail address for {{application}}:</p>
<p><a href="{{link}}">{{link}}</a></p>
<p>Or type this pin where you asked for it: <strong>{{pin}}</strong></p>
<p>Both are valid for {{minutes}} minutes, and once. Never pass them on to anybody who asks for them.</p>
<p>You did not ask for it? Then somebody else typed your address. You need do nothing.</p>
`,
  },
});
