// The texts of the guide and the keyboard shortcuts in English.

export const guide = {
  title: 'Guide',
  open: 'Guide',
  unknownTitle: 'Not found',
  unknown: 'There is no guide at this address.',
  contents: 'On this page',
  search: 'Search',
  searchHint: 'Title or term',
  none: 'No guides match.',
  /** In other languages: the guides are not translated. */
  inEnglish: '',
  topics: {
    use: 'Use',
    signIn: 'Sign-in and security',
    programs: 'Connect programs',
    run: 'Run the service',
    develop: 'Develop applications',
    reference: 'Reference',
  },
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
