// Questions of the manager about this machine: what it is for, its displays, pictures kept of the glass, small pictures of files.

import * as z from "zod";

/** What this PC is: a screen alone, a desk alone, or both. */
export const machineRoles = ["both", "screen", "desk"] as const;
export type MachineRole = (typeof machineRoles)[number];

const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** A small picture is far below. */
const maxThumbnailLength = 400_000;

export const machineQuestions = {
  getMachine: z.object({}),
  /** What is not named stays. A role counts from the next start on. */
  changeMachine: z
    .object({
      role: z.enum(machineRoles),
      displayId: z.int().nonnegative(),
      isFirstRunDone: z.boolean(),
    })
    .partial(),
  /** Lies over the glass for so long; 0 takes it away. */
  showTestPattern: z.object({
    seconds: z.int().min(0).max(600),
    withAudio: z.boolean(),
    /** To look at before it is stored: on this display, which the glass moves to, and turned so. */
    displayId: z.int().nonnegative().optional(),
    orientation: z.literal([0, 90, 180, 270]).optional(),
  }),
  /** Keeps what is on the glass as a file among the operator's pictures. */
  saveScreenshot: z.object({}),
  /** The folder in which `saveScreenshot` keeps them. */
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
