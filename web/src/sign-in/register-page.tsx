// PLACEHOLDER
export function RegisterPage() {
  return null;
}
