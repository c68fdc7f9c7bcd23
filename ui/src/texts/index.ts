import { agents } from "./agents";
import { brains } from "./brains";
import * as common from "./common";
import { conflict } from "./conflict";
import { history } from "./history";
import { inbox } from "./inbox";
import { proposals } from "./proposals";
import { review } from "./review";
import { settings } from "./settings";
import { signIn } from "./sign-in";

/** Every word that a screen shows. Components hold no text of their own. */
export const texts = { ...common, agents, history, inbox, conflict, review, brains, proposals, settings, signIn };
