// The texts of the guide, the API explorer and the keyboard shortcuts in English.

export const guide = {
  title: 'Guide',
  open: 'Guide',
  unknownTitle: 'Not found',
  unknown: 'There is no guide at this address.',
  contents: 'On this page',
  topics: {
    use: 'Use',
    signIn: 'Sign-in and security',
    programs: 'Connect programs',
    run: 'Run the service',
    develop: 'Develop applications',
    reference: 'Reference',
  },
};

export const api = {
  title: 'API explorer',
  reason: 'Send calls to this service with your session. Each call acts at once, with your permissions.',
  search: 'Search',
  searchHint: 'Part of a name or of what a call does',
  empty: 'No calls match.',
  count: (count: number) => (count === 1 ? '1 call' : `${count} calls`),
  document: 'OpenAPI document',
  unknown: 'There is no call at this address.',
  access: {
    public: 'For all callers',
    token: 'For signed-in callers',
  },
  input: 'Input',
  noInput: 'This call takes no input.',
  required: 'required',
  notSent: 'Not sent',
  json: 'JSON',
  noJson: 'This is not valid JSON.',
  noNumber: 'This is not a number.',
  send: 'Send',
  ownCall: 'The pages make this call themselves: it replaces the token of your session. Try it with curl.',
  ends: 'This call signs you out.',
  answer: 'Answer',
  status: (status: number, milliseconds: number) => `Status ${status}, after ${milliseconds} ms`,
  result: 'Result',
  curl: 'With curl',
  type: {
    list: (of: string) => `list of ${of}`,
    or: ' or ',
    any: 'any value',
  },
  columns: { name: 'Name', type: 'Type', description: 'Description' },
};

export const shortcuts = {
  title: 'Keyboard shortcuts',
  keys: { mod: 'Ctrl', escape: 'Esc' },
  palette: 'Find a page, user, setting or guide',
  search: 'Go to the search field of a list',
  save: 'Save the form',
  undo: 'Undo, while a notification offers it',
  help: 'Show these shortcuts',
  close: 'Close a dialog or menu',
  singleKeys: 'Use shortcuts of a single key',
  singleKeysHint: 'Turn them off if you use speech input, or press keys by accident.',
};
