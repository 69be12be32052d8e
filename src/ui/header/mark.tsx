/** The sign of the house: light falls through a shaft onto a floor. */
export function Mark() {
  return (
    <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="7" fill="#16181d" />
      <path d="M9 0h14l-4 26h-6z" fill="#f6c453" />
      <ellipse cx="16" cy="26" rx="8" ry="3" fill="#f6c453" />
    </svg>
  );
}
