// Password reset: replaces a forgotten password by a mailed link, by SMS, or by security questions.
//
// 1. options.ts            which methods a name is offered
// 2. requests.ts           sends the link or pin; recipient-resolver.ts finds the account and its verified address
//    question-selector.ts  selects the questions
// 3. proofs.ts             exchanges a link, code or pin for a reset token; question-round.ts exchanges answers for one
//    proof-settlement.ts  records the proof, and issues the token
// 4. token-redemption.ts   exchanges the reset token for a new password; password-replacement.ts says what ends with the old
export { passwordResetSlice } from './slice.ts';
