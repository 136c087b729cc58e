// Copies a text to the clipboard, also where the page is not a secure context, such as at the address of a player in the network.

/** Throws when it is not allowed. */
export async function copyText(text: string): Promise<void> {
  if ("clipboard" in navigator) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const { activeElement } = document;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "copied-text";
  // Inside the open dialog, if any: outside of it nothing can get the focus.
  (activeElement?.parentElement ?? document.body).append(field);
  field.select();
  // The only way without a secure context.
  const isCopied = document.execCommand("copy");
  field.remove();
  if (activeElement instanceof HTMLElement) activeElement.focus();
  if (!isCopied) throw new Error("The browser does not allow copying.");
}
