// German texts of the first run.

import type { firstRun as measure } from "../english/first-run.ts";
import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import { counted } from "../counts-and-quotes.ts";

export function firstRun(formats: Formats): ReturnType<typeof measure> {
  const assets = counted(formats, "Inhalt", "Inhalte");
  return {
    title: "Diesen PC einrichten",
    skipAll: "Überspringen",
    next: "Weiter",
    notKept: "Das wurde nicht übernommen.",
    steps: { role: "Dieser PC", display: "Bildschirm", content: "Inhalte" },
    roleQuestion: "Wofür ist dieser PC?",
    roles: {
      both: {
        name: "Bildschirm und Arbeitsplatz",
        description: "Er zeigt Inhalte, und Sie arbeiten auch hier.",
      },
      screen: {
        name: "Ein Bildschirm",
        description:
          "Er zeigt von selbst und startet mit dem PC. Starten Sie Vitrine noch einmal, um dieses Fenster zu öffnen.",
      },
      desk: {
        name: "Ein Arbeitsplatz",
        description: "Hier bereiten Sie vor, was anderswo gezeigt wird.",
      },
    },
    nextStart: "Gilt ab dem nächsten Start von Vitrine.",
    displayQuestion: "Welcher Bildschirm zeigt das Programm?",
    display: (name) => `Bildschirm ${isolate(name)}`,
    managerIsHere: "dieses Fenster ist darauf",
    orientationQuestion: "Wie hängt er?",
    orientations: {
      0: "Nicht gedreht",
      90: "Nach rechts gedreht",
      180: "Kopfüber",
      270: "Nach links gedreht",
    },
    pattern: "Testbild zeigen",
    patternDescription:
      "Rot am äußersten Rand, Grün um den sicheren Bereich, runde Kreise, und ein Ton links, rechts und von beiden Seiten.",
    patternShown: (seconds) =>
      `Das Testbild ist für ${formats.length(seconds)} auf dem Bildschirm`,
    contentQuestion: "Was soll er zeigen?",
    drop: "Legen Sie Bilder, Videos oder PDFs irgendwo in diesem Fenster ab, oder:",
    inLibrary: (number) => `${assets(number)} in der Bibliothek`,
    cloud: "Cloud verbinden",
    cloudDescription: "Mit einem Schlüssel aus Ihrem Konto",
    restore: "Sicherung zurückspielen",
    restoreDescription: "Von Vitrine oder von Anthias",
    otherWays: "Anderer Weg",
    cloudConnected: "Die Cloud ist verbunden",
    cloudNext:
      "Nichts davon wird übernommen, bevor Sie gesehen haben, was sie bringt.",
    cloudReview: "Ansehen, was sie bringt",
  };
}
