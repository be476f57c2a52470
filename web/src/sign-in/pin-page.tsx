// PLACEHOLDER
export function PinPage() {
  return null;
}
