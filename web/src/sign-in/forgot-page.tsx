// PLACEHOLDER
export function ForgotPage() {
  return null;
}
