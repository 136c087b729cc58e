// A QR code, drawn by this page: what it contains is sent nowhere.

import { Box } from "@mantine/core";
import type { ReactNode } from "react";
import { encode } from "uqr";

/** In modules, as readers expect it. */
const border = 4;

export function QrCode({
  text,
  label,
}: {
  readonly text: string;
  readonly label: string;
}): ReactNode {
  const { data, size } = encode(text, { border });
  const path = data
    .flatMap((row, y) =>
      row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")),
    )
    .join("");
  return (
    <Box
      component="svg"
      flex="none"
      bdrs={8}
      viewBox={`0 0 ${size} ${size}`}
      width={196}
      height={196}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      {/* Dark on light, whatever the appearance: some readers need it. */}
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </Box>
  );
}
