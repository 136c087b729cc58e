// The part of electron-installer-debian that is used here; it brings no types.

declare module "electron-installer-debian" {
  interface DebianOptions {
    readonly src: string;
    readonly dest: string;
    readonly arch: string;
    readonly options: Readonly<Record<string, unknown>>;
    readonly rename: (dest: string) => string;
    readonly logger: (sentence: string) => void;
  }

  export class Installer {
    constructor(options: DebianOptions);
    /** Names of the methods that lay out what is inside. */
    get contentFunctions(): string[];
    readonly stagingDir: string;
    generateDefaults(): Promise<unknown>;
    generateOptions(): unknown;
    createStagingDir(): Promise<unknown>;
    createContents(): Promise<unknown>;
    createPackage(): Promise<unknown>;
    movePackage(): Promise<unknown>;
  }
}
