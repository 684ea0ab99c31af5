/** The Claude Agent SDK against the rest of the contract: rarer answers, failures, limits and money. Each behaviour starts a native program. */
import { claudeAgent } from "../support/model-contract/claude-agent.ts";
import { modelContract } from "../support/model-contract/model-contract.ts";

modelContract("claude-agent", claudeAgent, {
  part: "the rest",
  concurrency: 3,
  except: {
    "what a tool says about arguments that are no JSON is what the model hears":
      "the program answers the model itself, with an error of its own, and hands on what was sent",
    "an answer that breaks off because the provider is overloaded is reported as that":
      "the program says only that the server has failed, asks for the rest, and reports the overload when that is refused",
    "a provider that is overloaded after a call again and again is reported as that, and each call is made once":
      "the same: it's reported as a connection that is lost again and again",
    "nothing but the given address is contacted":
      "the program is another process; claude-agent.test.ts looks at its connections",
  },
});
