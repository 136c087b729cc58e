// Messages with the process that started this one: Electron's for a utility process, or a plain Node parent.

interface UtilityParentPort {
  on(event: "message", listener: (event: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

export interface ParentProcess<Received, Sent> {
  /** This is a utility process of Electron. */
  readonly isElectron: boolean;
  readonly onMessage: (listener: (message: Received) => void) => void;
  readonly post: (message: Sent) => void;
}

/** Null when it was started without a parent that sends messages; a Node parent that ends calls `onDisconnect`. */
export function parentProcess<Received, Sent>(
  onDisconnect: () => void,
): ParentProcess<Received, Sent> | null {
  const { parentPort } = process as unknown as {
    readonly parentPort?: UtilityParentPort;
  };
  if (parentPort)
    return {
      isElectron: true,
      onMessage: (listener) =>
        parentPort.on("message", ({ data }) => listener(data as Received)),
      post: (message) => parentPort.postMessage(message),
    };
  if (!process.send) return null;
  process.once("disconnect", onDisconnect);
  return {
    isElectron: false,
    onMessage: (listener) => process.on("message", listener),
    post: (message) => process.send?.(message),
  };
}
