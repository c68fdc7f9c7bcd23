/** What is said of a proposal that was rejected, wherever it shows. */
export const proposals = {
  erase: "Erase text…",
  eraseOf: (title: string) => `Erase text…: ${title}`,
  eraseTitle: "Erase a rejected proposal?",
  eraseSays: (title: string) =>
    `What the agent proposed for “${title}”, and why you rejected it, goes from every file. That it was proposed and rejected stays in the history.`,
  eraseFinal: "This is final. The rejection cannot be undone then.",
  eraseDo: "Erase for good",
  eraseBusy: "Erasing…",
  erased: (title: string) => `Erased: what was proposed for “${title}”.`,
  erasedTitle: "Erased",
  erasePending: "Its words still stand in a file that another process reads. They go soon after that process lets go of it.",
};
