// The error of a wrong variable in the environment.

/** A variable is wrong. `message` is one line that names the variable and says what to do. */
export class EnvironmentError extends Error {
  constructor(variable: string, problem: string) {
    super(`${variable} ${problem}`);
    this.name = 'EnvironmentError';
  }
}
