export const signIn = {
  title: "Sign in to OzBrain",
  entering: "Signing in…",
  how: "Only a link from this computer signs a browser in.",
  step1: "In a terminal, in OzBrain’s folder, run",
  command: "npm start",
  step2: "Open the link that it prints. It works once, and for two minutes.",
  paste: "Or paste the link here, to stay in this tab",
  enter: "Sign in",
  noToken: "This is not a sign-in link. It ends in #token= and a long word.",
  used: "This link was used already, or is older than two minutes. Print a new one.",
  failed: (message: string) => `You are not signed in. ${message}`,
  ended: "You were signed out. What you had written is still here: sign in, and go on.",
};
