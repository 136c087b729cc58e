// What the coat asks the player about the pages it shows: who this screen is, and what an app is made of.

export type { WebOptions } from "../core/asset.ts";

/** Who asks, as pages and apps are told. */
export interface ScreenFacts {
  readonly hostname: string;
  readonly screenName: string;
  /** Where it hangs, in words; empty when nobody said. */
  readonly location: string;
  /** Latitude and longitude; null when nobody said. */
  readonly coordinates: readonly [number, number] | null;
  readonly hardware: string;
  readonly version: string;
  /** The groups the screen is in. */
  readonly groups: readonly string[];
}

/** What a page is shown by, besides its own options. */
export interface PageContext {
  readonly screen: ScreenFacts;
  /** The operator said so for every address. */
  readonly isAnyCertificateTaken: boolean;
}

/** An app as it is shown. */
export interface AppOnScreen {
  readonly entry:
    | { readonly kind: "file"; readonly path: string }
    | {
        readonly kind: "remote";
        readonly url: string;
        /** Of the app's own, run in the remote page with its settings at hand; null without one. */
        readonly script: string | null;
      };
  /** It stays hidden until it says that it can be seen. */
  readonly waitsForSignal: boolean;
  readonly settings: Readonly<Record<string, string>>;
  /** By the path inside the app: where the bytes lie, and what they are. */
  readonly files: ReadonlyMap<
    string,
    { readonly path: string; readonly type: string }
  >;
}
