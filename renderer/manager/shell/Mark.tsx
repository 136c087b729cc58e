// The product's mark: a shop window with something in it.

import type { ReactNode } from "react";

export function Mark(): ReactNode {
  return (
    <svg
      className="mark"
      viewBox="0 0 24 24"
      width={24}
      height={24}
      aria-hidden
    >
      <rect x="2" y="4" width="20" height="16" rx="3" fill="var(--accent)" />
      <path d="M5.5 7.5h13v9h-13z" fill="var(--rail)" />
      <path d="M8 16.5 12 9l4 7.5z" fill="var(--accent)" />
    </svg>
  );
}
