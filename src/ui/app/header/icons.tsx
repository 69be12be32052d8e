/** The logo: a beam of light on a floor. */
export function Mark() {
  return (
    <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="7" fill="#16181d" />
      <path d="M9 0h14l-4 26h-6z" fill="#f6c453" />
      <ellipse cx="16" cy="26" rx="8" ry="3" fill="#f6c453" />
    </svg>
  );
}

/** Shapes on a 16 × 16 grid, in the colour of the surrounding text. */
const SHAPES = {
  lock: 'M4.5 7V5a3.5 3.5 0 0 1 7 0v2M3.5 7h9v6.5h-9z',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8 13 13M3 13l1.2-1.2M11.8 4.2 13 3',
  moon: 'M13 9.6A5.5 5.5 0 0 1 6.4 3a5.5 5.5 0 1 0 6.6 6.6z',
  device: 'M2 3h12v8H2zM6 13.5h4M8 11v2.5',
} as const;

/** A decorative icon; the text beside it says the same. */
export function Icon({ shape }: { readonly shape: keyof typeof SHAPES }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.4" aria-hidden>
      <path d={SHAPES[shape]} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
