// Requests of the manager about this machine: its role, its displays, screenshots kept as files, thumbnails.

import * as z from "zod";

/** The role of this PC: screen only, manager only, or both. */
export const machineRoles = ["both", "screen", "desk"] as const;
export type MachineRole = (typeof machineRoles)[number];

const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** Far larger than any thumbnail. */
const maxThumbnailLength = 400_000;

export const machineQuestions = {
  getMachine: z.object({}),
  /** Omitted fields stay unchanged. A new role takes effect at the next start. */
  changeMachine: z
    .object({
      role: z.enum(machineRoles),
      displayId: z.int().nonnegative(),
      isFirstRunDone: z.boolean(),
    })
    .partial(),
  /** Covers the screen for this long; 0 removes it. */
  showTestPattern: z.object({
    seconds: z.int().min(0).max(600),
    withAudio: z.boolean(),
    /** A preview before it is stored: on this display, to which the playback window moves, and in this orientation. */
    displayId: z.int().nonnegative().optional(),
    orientation: z.literal([0, 90, 180, 270]).optional(),
  }),
  /** Saves a screenshot of the screen among the operator's pictures. */
  saveScreenshot: z.object({}),
  /** The folder in which `saveScreenshot` stores them. */
  chooseImages: z.object({}),
  keepThumbnail: z.object({
    hash,
    dataUrl: z
      .string()
      .max(maxThumbnailLength)
      .regex(/^data:image\/webp;base64,[A-Za-z0-9+/]+=*$/),
  }),
} as const;

export interface DisplayView {
  readonly id: number;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly isPlaybackDisplay: boolean;
  readonly isManagerDisplay: boolean;
}

export interface MachineView {
  readonly apiAddress: string;
  readonly role: MachineRole;
  readonly isFirstRunDone: boolean;
  readonly displays: readonly DisplayView[];
}

export interface MachineAnswers {
  getMachine: MachineView;
  changeMachine: MachineView;
  showTestPattern: null;
  saveScreenshot: { readonly path: string };
  chooseImages: null;
  keepThumbnail: null;
}

export type MachineQuestion = keyof typeof machineQuestions;
