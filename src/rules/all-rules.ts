/** Every built-in rule: one import and one line each. A test compares this list with the folder's files. */
import type { FloorRule } from "./rule.ts";
import { assignmentInCondition } from "./checks/assignment-in-condition.ts";
import { bareExcept } from "./checks/bare-except.ts";
import { brokenLink } from "./checks/broken-link.ts";
import { cBuiltCommand } from "./checks/c-built-command.ts";
import { cFormatString } from "./checks/c-format-string.ts";
import { cGetcharChar } from "./checks/c-getchar-char.ts";
import { cMemoryArguments } from "./checks/c-memory-arguments.ts";
import { cReallocSelf } from "./checks/c-realloc-self.ts";
import { cReturnsLocal } from "./checks/c-returns-local.ts";
import { cSizeofPointer } from "./checks/c-sizeof-pointer.ts";
import { cStringCompared } from "./checks/c-string-compared.ts";
import { cUnboundedCopy } from "./checks/c-unbounded-copy.ts";
import { cUncheckedAllocation } from "./checks/c-unchecked-allocation.ts";
import { cUseAfterFree } from "./checks/c-use-after-free.ts";
import { callNotAdapted } from "./checks/call-not-adapted.ts";
import { changedWhileIterating } from "./checks/changed-while-iterating.ts";
import { collectionChangedInLoop } from "./checks/collection-changed-in-loop.ts";
import { committedArtefact } from "./checks/committed-artefact.ts";
import { conflictMarker } from "./checks/conflict-marker.ts";
import { cppDeleteMismatch } from "./checks/cpp-delete-mismatch.ts";
import { cppMissingVirtualDestructor } from "./checks/cpp-missing-virtual-destructor.ts";
import { csharpAsyncVoid } from "./checks/csharp-async-void.ts";
import { csharpThrowEx } from "./checks/csharp-throw-ex.ts";
import { csharpUndisposed } from "./checks/csharp-undisposed.ts";
import { csrfProtectionOff } from "./checks/csrf-protection-off.ts";
import { dependencyAdvisory } from "./checks/dependency-advisory.ts";
import { dependencyCallSite } from "./checks/dependency-call-site.ts";
import { dependencySupplyChain } from "./checks/dependency-supply-chain.ts";
import { dependencyTampering } from "./checks/dependency-tampering.ts";
import { destructiveMigration } from "./checks/destructive-migration.ts";
import { diffHidingAttributes } from "./checks/diff-hiding-attributes.ts";
import { disabledTlsInShell } from "./checks/disabled-tls-in-shell.ts";
import { disabledTlsVerification } from "./checks/disabled-tls-verification.ts";
import { dockerfileSecret } from "./checks/dockerfile-secret.ts";
import { duplicateKey } from "./checks/duplicate-key.ts";
import { duplicateTestName } from "./checks/duplicate-test-name.ts";
import { emptyCatch } from "./checks/empty-catch.ts";
import { evalOfInput } from "./checks/eval-of-input.ts";
import { floatingPromise } from "./checks/floating-promise.ts";
import { focusedTest } from "./checks/focused-test.ts";
import { formatArguments } from "./checks/format-arguments.ts";
import { goBodyNotClosed } from "./checks/go-body-not-closed.ts";
import { goDeferInLoop } from "./checks/go-defer-in-loop.ts";
import { goDiscardedCancel } from "./checks/go-discarded-cancel.ts";
import { goLockCopied } from "./checks/go-lock-copied.ts";
import { goResponseBeforeError } from "./checks/go-response-before-error.ts";
import { goWaitgroupAdd } from "./checks/go-waitgroup-add.ts";
import { hiddenCharacters } from "./checks/hidden-characters.ts";
import { htmlFromInput } from "./checks/html-from-input.ts";
import { identicalOperands } from "./checks/identical-operands.ts";
import { javaEqualsHashcode } from "./checks/java-equals-hashcode.ts";
import { javaObjectIdentity } from "./checks/java-object-identity.ts";
import { javaStringIdentity } from "./checks/java-string-identity.ts";
import { javaUnclosedResource } from "./checks/java-unclosed-resource.ts";
import { jsArrayCallbackAsync } from "./checks/js-array-callback-async.ts";
import { jwtVerificationOff } from "./checks/jwt-verification-off.ts";
import { k8sPrivilegedContainer } from "./checks/k8s-privileged-container.ts";
import { kodiaiConfigChanged } from "./checks/kodiai-config-changed.ts";
import { leftoverDebugger } from "./checks/leftover-debugger.ts";
import { manifestWithoutLock } from "./checks/manifest-without-lock.ts";
import { misspelling } from "./checks/misspelling.ts";
import { mutableDefaultArgument } from "./checks/mutable-default-argument.ts";
import { nullableLookup } from "./checks/nullable-lookup.ts";
import { offByOneBound } from "./checks/off-by-one-bound.ts";
import { pathFromInput } from "./checks/path-from-input.ts";
import { phpExtractRequest } from "./checks/php-extract-request.ts";
import { phpLooseHash } from "./checks/php-loose-hash.ts";
import { phpStrposTruth } from "./checks/php-strpos-truth.ts";
import { phpUndefinedVariable } from "./checks/php-undefined-variable.ts";
import { reactEffectLeak } from "./checks/react-effect-leak.ts";
import { readModifyWrite } from "./checks/read-modify-write.ts";
import { redirectFromInput } from "./checks/redirect-from-input.ts";
import { removedCheck } from "./checks/removed-check.ts";
import { removedExportUsed } from "./checks/removed-export-used.ts";
import { removedTest } from "./checks/removed-test.ts";
import { repeatedCondition } from "./checks/repeated-condition.ts";
import { requestFromInput } from "./checks/request-from-input.ts";
import { returnInFinally } from "./checks/return-in-finally.ts";
import { reviewerInjection } from "./checks/reviewer-injection.ts";
import { riskyWorkflowTrigger } from "./checks/risky-workflow-trigger.ts";
import { rubyDuplicateMethod } from "./checks/ruby-duplicate-method.ts";
import { rubyPermitAll } from "./checks/ruby-permit-all.ts";
import { rubyRescueException } from "./checks/ruby-rescue-exception.ts";
import { rustBlockingAsync } from "./checks/rust-blocking-async.ts";
import { rustGuardAcrossAwait } from "./checks/rust-guard-across-await.ts";
import { rustLeftoverTodo } from "./checks/rust-leftover-todo.ts";
import { secretInCode } from "./checks/secret-in-code.ts";
import { secretInDescription } from "./checks/secret-in-description.ts";
import { selfAssignment } from "./checks/self-assignment.ts";
import { shellCurlPipe } from "./checks/shell-curl-pipe.ts";
import { shellEvalInput } from "./checks/shell-eval-input.ts";
import { shellFindDelete } from "./checks/shell-find-delete.ts";
import { shellFromStrings } from "./checks/shell-from-strings.ts";
import { shellLostStatus } from "./checks/shell-lost-status.ts";
import { shellRmUnguarded } from "./checks/shell-rm-unguarded.ts";
import { shellSecretShown } from "./checks/shell-secret-shown.ts";
import { skippedTest } from "./checks/skipped-test.ts";
import { sourceWithoutTest } from "./checks/source-without-test.ts";
import { sqlFromStrings } from "./checks/sql-from-strings.ts";
import { sqlWithoutWhere } from "./checks/sql-without-where.ts";
import { stringComparedSecret } from "./checks/string-compared-secret.ts";
import { switchFallthrough } from "./checks/switch-fallthrough.ts";
import { terraformOpenIngress } from "./checks/terraform-open-ingress.ts";
import { uncheckedGoError } from "./checks/unchecked-go-error.ts";
import { unpinnedAction } from "./checks/unpinned-action.ts";
import { unreachableCode } from "./checks/unreachable-code.ts";
import { unsafeDeserialisation } from "./checks/unsafe-deserialisation.ts";
import { unusedImport } from "./checks/unused-import.ts";
import { unusedPrivate } from "./checks/unused-private.ts";
import { unusedResult } from "./checks/unused-result.ts";
import { unusedVariable } from "./checks/unused-variable.ts";
import { weakCipher } from "./checks/weak-cipher.ts";
import { weakPasswordHash } from "./checks/weak-password-hash.ts";
import { weakRandomSecret } from "./checks/weak-random-secret.ts";
import { weakenedTest } from "./checks/weakened-test.ts";
import { workflowBroadPermissions } from "./checks/workflow-broad-permissions.ts";
import { workflowScriptInjection } from "./checks/workflow-script-injection.ts";
import { workflowSecretEcho } from "./checks/workflow-secret-echo.ts";
import { xmlExternalEntities } from "./checks/xml-external-entities.ts";

export const ALL_RULES: readonly FloorRule[] = [
  assignmentInCondition,
  bareExcept,
  brokenLink,
  cBuiltCommand,
  cFormatString,
  cGetcharChar,
  cMemoryArguments,
  cReallocSelf,
  cReturnsLocal,
  cSizeofPointer,
  cStringCompared,
  cUnboundedCopy,
  cUncheckedAllocation,
  cUseAfterFree,
  callNotAdapted,
  changedWhileIterating,
  collectionChangedInLoop,
  committedArtefact,
  conflictMarker,
  cppDeleteMismatch,
  cppMissingVirtualDestructor,
  csharpAsyncVoid,
  csharpThrowEx,
  csharpUndisposed,
  csrfProtectionOff,
  dependencyAdvisory,
  dependencyCallSite,
  dependencySupplyChain,
  dependencyTampering,
  destructiveMigration,
  diffHidingAttributes,
  disabledTlsInShell,
  disabledTlsVerification,
  dockerfileSecret,
  duplicateKey,
  duplicateTestName,
  emptyCatch,
  evalOfInput,
  floatingPromise,
  focusedTest,
  formatArguments,
  goBodyNotClosed,
  goDeferInLoop,
  goDiscardedCancel,
  goLockCopied,
  goResponseBeforeError,
  goWaitgroupAdd,
  hiddenCharacters,
  htmlFromInput,
  identicalOperands,
  javaEqualsHashcode,
  javaObjectIdentity,
  javaStringIdentity,
  javaUnclosedResource,
  jsArrayCallbackAsync,
  jwtVerificationOff,
  k8sPrivilegedContainer,
  kodiaiConfigChanged,
  leftoverDebugger,
  manifestWithoutLock,
  misspelling,
  mutableDefaultArgument,
  nullableLookup,
  offByOneBound,
  pathFromInput,
  phpExtractRequest,
  phpLooseHash,
  phpStrposTruth,
  phpUndefinedVariable,
  reactEffectLeak,
  readModifyWrite,
  redirectFromInput,
  removedCheck,
  removedExportUsed,
  removedTest,
  repeatedCondition,
  requestFromInput,
  returnInFinally,
  reviewerInjection,
  riskyWorkflowTrigger,
  rubyDuplicateMethod,
  rubyPermitAll,
  rubyRescueException,
  rustBlockingAsync,
  rustGuardAcrossAwait,
  rustLeftoverTodo,
  secretInCode,
  secretInDescription,
  selfAssignment,
  shellCurlPipe,
  shellEvalInput,
  shellFindDelete,
  shellFromStrings,
  shellLostStatus,
  shellRmUnguarded,
  shellSecretShown,
  skippedTest,
  sourceWithoutTest,
  sqlFromStrings,
  sqlWithoutWhere,
  stringComparedSecret,
  switchFallthrough,
  terraformOpenIngress,
  uncheckedGoError,
  unpinnedAction,
  unreachableCode,
  unsafeDeserialisation,
  unusedImport,
  unusedPrivate,
  unusedResult,
  unusedVariable,
  weakCipher,
  weakPasswordHash,
  weakRandomSecret,
  weakenedTest,
  workflowBroadPermissions,
  workflowScriptInjection,
  workflowSecretEcho,
  xmlExternalEntities,
];
