// What the bundle has in place of a module that a package imports and the service does not use.
export {};
