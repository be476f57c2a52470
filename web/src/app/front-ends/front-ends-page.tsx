// PLACEHOLDER
export function FrontEndsPage() {
  return null;
}
