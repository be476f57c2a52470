// The message that tests delivery.
import { defineMessage } from '../delivery/index.ts';

export const testMessage = defineMessage({
  name: 'Test',
  label: 'Message: test',
  description: 'Tells an administrator that messages of this kind arrive.',
  order: 350,
  allowed: ['name', 'username', 'application'],
  needed: [],
  words: {
    sms: '{{application}}: this test message has arrived.',
    subject: 'A test message of {{application}}',
    text: `Hello {{name}},

this test message of {{application}} has arrived. You have asked for it yourself.
`,
    html: `<p>Hello {{name}},</p>
<p>this test message of {{application}} has arrived. You have asked for it yourself.</p>
`,
  },
});
