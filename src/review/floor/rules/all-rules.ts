/** Every built-in rule: one import and one line each. A test compares this list with the folder's files. */
import type { FloorRule } from "../rule.ts";
import { assignmentInCondition } from "./assignment-in-condition.ts";
import { bareExcept } from "./bare-except.ts";
import { brokenLink } from "./broken-link.ts";
import { cBitPrecedence } from "./c-bit-precedence.ts";
import { cBuiltCommand } from "./c-built-command.ts";
import { cFormatString } from "./c-format-string.ts";
import { cGetcharChar } from "./c-getchar-char.ts";
import { cLeakOnReturn } from "./c-leak-on-return.ts";
import { cMemoryArguments } from "./c-memory-arguments.ts";
import { cPathFromRequest } from "./c-path-from-request.ts";
import { cPredictableTempFile } from "./c-predictable-temp-file.ts";
import { cReallocSelf } from "./c-realloc-self.ts";
import { cReturnsLocal } from "./c-returns-local.ts";
import { cSizeofPointer } from "./c-sizeof-pointer.ts";
import { cStringCompared } from "./c-string-compared.ts";
import { cUnboundedCopy } from "./c-unbounded-copy.ts";
import { cUncheckedAllocation } from "./c-unchecked-allocation.ts";
import { cUninitialized } from "./c-uninitialized.ts";
import { cUseAfterFree } from "./c-use-after-free.ts";
import { callNotAdapted } from "./call-not-adapted.ts";
import { changedWhileIterating } from "./changed-while-iterating.ts";
import { collectionChangedInLoop } from "./collection-changed-in-loop.ts";
import { committedArtefact } from "./committed-artefact.ts";
import { comparisonWithoutEffect } from "./comparison-without-effect.ts";
import { conflictMarker } from "./conflict-marker.ts";
import { contradictoryCondition } from "./contradictory-condition.ts";
import { copiedField } from "./copied-field.ts";
import { corsWildcardCredentials } from "./cors-wildcard-credentials.ts";
import { counterDirection } from "./counter-direction.ts";
import { cppDanglingTemporary } from "./cpp-dangling-temporary.ts";
import { cppDeleteMismatch } from "./cpp-delete-mismatch.ts";
import { cppExceptionByValue } from "./cpp-exception-by-value.ts";
import { cppMissingVirtualDestructor } from "./cpp-missing-virtual-destructor.ts";
import { cppUncheckedFind } from "./cpp-unchecked-find.ts";
import { cppUseAfterMove } from "./cpp-use-after-move.ts";
import { csharpAsyncLambdaLost } from "./csharp-async-lambda-lost.ts";
import { csharpAsyncVoid } from "./csharp-async-void.ts";
import { csharpBlockingWait } from "./csharp-blocking-wait.ts";
import { csharpClientPerCall } from "./csharp-client-per-call.ts";
import { csharpEqualsWithoutHash } from "./csharp-equals-without-hash.ts";
import { csharpLockTarget } from "./csharp-lock-target.ts";
import { csharpLoopCapture } from "./csharp-loop-capture.ts";
import { csharpPropertyRecursion } from "./csharp-property-recursion.ts";
import { csharpSleepInAsync } from "./csharp-sleep-in-async.ts";
import { csharpThrowEx } from "./csharp-throw-ex.ts";
import { csharpUnawaitedTask } from "./csharp-unawaited-task.ts";
import { csharpUndisposed } from "./csharp-undisposed.ts";
import { csrfProtectionOff } from "./csrf-protection-off.ts";
import { datePattern } from "./date-pattern.ts";
import { dependencyAdvisory } from "./dependency-advisory.ts";
import { dependencyCallSite } from "./dependency-call-site.ts";
import { dependencySupplyChain } from "./dependency-supply-chain.ts";
import { dependencyTampering } from "./dependency-tampering.ts";
import { destructiveMigration } from "./destructive-migration.ts";
import { diffHidingAttributes } from "./diff-hiding-attributes.ts";
import { disabledTlsInShell } from "./disabled-tls-in-shell.ts";
import { disabledTlsVerification } from "./disabled-tls-verification.ts";
import { docParameterMismatch } from "./doc-parameter-mismatch.ts";
import { dockerfileLatestBase } from "./dockerfile-latest-base.ts";
import { dockerfileRemoteAdd } from "./dockerfile-remote-add.ts";
import { dockerfileSecret } from "./dockerfile-secret.ts";
import { duplicateKey } from "./duplicate-key.ts";
import { duplicateTestName } from "./duplicate-test-name.ts";
import { emptyCatch } from "./empty-catch.ts";
import { evalOfInput } from "./eval-of-input.ts";
import { exceptionNotThrown } from "./exception-not-thrown.ts";
import { floatingPromise } from "./floating-promise.ts";
import { focusedTest } from "./focused-test.ts";
import { formatArguments } from "./format-arguments.ts";
import { goBareDuration } from "./go-bare-duration.ts";
import { goBodyNotClosed } from "./go-body-not-closed.ts";
import { goBusySelect } from "./go-busy-select.ts";
import { goDecodeIntoValue } from "./go-decode-into-value.ts";
import { goDeferInLoop } from "./go-defer-in-loop.ts";
import { goDiscardedCancel } from "./go-discarded-cancel.ts";
import { goErrorResponseContinues } from "./go-error-response-continues.ts";
import { goInvertedError } from "./go-inverted-error.ts";
import { goLockCopied } from "./go-lock-copied.ts";
import { goLostError } from "./go-lost-error.ts";
import { goNilMapWrite } from "./go-nil-map-write.ts";
import { goResponseBeforeError } from "./go-response-before-error.ts";
import { goTrimCutset } from "./go-trim-cutset.ts";
import { goUsedBeforeError } from "./go-used-before-error.ts";
import { goWaitgroupAdd } from "./go-waitgroup-add.ts";
import { hiddenCharacters } from "./hidden-characters.ts";
import { htmlFromInput } from "./html-from-input.ts";
import { identicalBranches } from "./identical-branches.ts";
import { identicalOperands } from "./identical-operands.ts";
import { infiniteRecursion } from "./infinite-recursion.ts";
import { insecureCookie } from "./insecure-cookie.ts";
import { integerDivision } from "./integer-division.ts";
import { invertedNullGuard } from "./inverted-null-guard.ts";
import { javaEqualsHashcode } from "./java-equals-hashcode.ts";
import { javaMisusedCall } from "./java-misused-call.ts";
import { javaNullUnboxing } from "./java-null-unboxing.ts";
import { javaObjectIdentity } from "./java-object-identity.ts";
import { javaStringIdentity } from "./java-string-identity.ts";
import { javaSwallowedInterrupt } from "./java-swallowed-interrupt.ts";
import { javaUnclosedResource } from "./java-unclosed-resource.ts";
import { javaUnsafeSharing } from "./java-unsafe-sharing.ts";
import { jsArrayCallbackAsync } from "./js-array-callback-async.ts";
import { jsMapParseInt } from "./js-map-parse-int.ts";
import { jsNumberSort } from "./js-number-sort.ts";
import { jsPromiseNeverSettles } from "./js-promise-never-settles.ts";
import { jsTimerCall } from "./js-timer-call.ts";
import { jwtVerificationOff } from "./jwt-verification-off.ts";
import { k8sPrivilegedContainer } from "./k8s-privileged-container.ts";
import { kodiaiConfigChanged } from "./kodiai-config-changed.ts";
import { leftoverDebugger } from "./leftover-debugger.ts";
import { lengthNeverNegative } from "./length-never-negative.ts";
import { localeWrongLanguage } from "./locale-wrong-language.ts";
import { lockNotReleased } from "./lock-not-released.ts";
import { madeExecutable } from "./made-executable.ts";
import { manifestWithoutLock } from "./manifest-without-lock.ts";
import { misspelling } from "./misspelling.ts";
import { misspeltName } from "./misspelt-name.ts";
import { mutableDefaultArgument } from "./mutable-default-argument.ts";
import { nullableLookup } from "./nullable-lookup.ts";
import { offByOneBound } from "./off-by-one-bound.ts";
import { pathFromInput } from "./path-from-input.ts";
import { phpDebugOutput } from "./php-debug-output.ts";
import { phpExtractRequest } from "./php-extract-request.ts";
import { phpLooseHash } from "./php-loose-hash.ts";
import { phpMissingReturn } from "./php-missing-return.ts";
import { phpRedirectWithoutExit } from "./php-redirect-without-exit.ts";
import { phpReferenceLeft } from "./php-reference-left.ts";
import { phpRemovedFunction } from "./php-removed-function.ts";
import { phpStrposTruth } from "./php-strpos-truth.ts";
import { phpSwappedArguments } from "./php-swapped-arguments.ts";
import { phpThisInStatic } from "./php-this-in-static.ts";
import { phpUndefinedVariable } from "./php-undefined-variable.ts";
import { phpUnimportedException } from "./php-unimported-exception.ts";
import { productOverflow } from "./product-overflow.ts";
import { promiseInCondition } from "./promise-in-condition.ts";
import { pythonIsLiteral } from "./python-is-literal.ts";
import { pythonUnawaitedCoroutine } from "./python-unawaited-coroutine.ts";
import { reactEffectLeak } from "./react-effect-leak.ts";
import { readModifyWrite } from "./read-modify-write.ts";
import { redirectFromInput } from "./redirect-from-input.ts";
import { removedCheck } from "./removed-check.ts";
import { removedExportUsed } from "./removed-export-used.ts";
import { removedNullCheck } from "./removed-null-check.ts";
import { removedTest } from "./removed-test.ts";
import { repeatedCondition } from "./repeated-condition.ts";
import { requestFromInput } from "./request-from-input.ts";
import { returnInFinally } from "./return-in-finally.ts";
import { reversedOperator } from "./reversed-operator.ts";
import { reviewerInjection } from "./reviewer-injection.ts";
import { riskyWorkflowTrigger } from "./risky-workflow-trigger.ts";
import { rubyBangResult } from "./ruby-bang-result.ts";
import { rubyDuplicateMethod } from "./ruby-duplicate-method.ts";
import { rubyIneffectivePrivate } from "./ruby-ineffective-private.ts";
import { rubyPermitAll } from "./ruby-permit-all.ts";
import { rubyRescueException } from "./ruby-rescue-exception.ts";
import { rubySafeNavigationChain } from "./ruby-safe-navigation-chain.ts";
import { rubySharedDefault } from "./ruby-shared-default.ts";
import { rubyUnclosedFile } from "./ruby-unclosed-file.ts";
import { rustBlockingAsync } from "./rust-blocking-async.ts";
import { rustDiscardedGuard } from "./rust-discarded-guard.ts";
import { rustDoubleBorrow } from "./rust-double-borrow.ts";
import { rustGuardAcrossAwait } from "./rust-guard-across-await.ts";
import { rustIgnoredResult } from "./rust-ignored-result.ts";
import { rustLeftoverTodo } from "./rust-leftover-todo.ts";
import { rustLengthTruncated } from "./rust-length-truncated.ts";
import { rustMemUninitialized } from "./rust-mem-uninitialized.ts";
import { rustStaticMut } from "./rust-static-mut.ts";
import { rustUncheckedText } from "./rust-unchecked-text.ts";
import { rustUnwrapInput } from "./rust-unwrap-input.ts";
import { secretInCode } from "./secret-in-code.ts";
import { secretInDescription } from "./secret-in-description.ts";
import { selfAssignment } from "./self-assignment.ts";
import { shadowedHandler } from "./shadowed-handler.ts";
import { shellArgumentCount } from "./shell-argument-count.ts";
import { shellArrayBound } from "./shell-array-bound.ts";
import { shellCurlPipe } from "./shell-curl-pipe.ts";
import { shellEndlessLoop } from "./shell-endless-loop.ts";
import { shellErrexitCounter } from "./shell-errexit-counter.ts";
import { shellEvalInput } from "./shell-eval-input.ts";
import { shellFindDelete } from "./shell-find-delete.ts";
import { shellFromStrings } from "./shell-from-strings.ts";
import { shellHeredocQuoting } from "./shell-heredoc-quoting.ts";
import { shellInvertedCheck } from "./shell-inverted-check.ts";
import { shellLockRace } from "./shell-lock-race.ts";
import { shellLostStatus } from "./shell-lost-status.ts";
import { shellOctalNumber } from "./shell-octal-number.ts";
import { shellOptionParsing } from "./shell-option-parsing.ts";
import { shellOverwritesFile } from "./shell-overwrites-file.ts";
import { shellPipeHidesFailure } from "./shell-pipe-hides-failure.ts";
import { shellPredictableTemp } from "./shell-predictable-temp.ts";
import { shellRmUnguarded } from "./shell-rm-unguarded.ts";
import { shellSecretShown } from "./shell-secret-shown.ts";
import { shellSharedVariable } from "./shell-shared-variable.ts";
import { shellSubshellExit } from "./shell-subshell-exit.ts";
import { shellTrapReplaced } from "./shell-trap-replaced.ts";
import { shellUnsetCheck } from "./shell-unset-check.ts";
import { shellVersionOrder } from "./shell-version-order.ts";
import { skippedTest } from "./skipped-test.ts";
import { sourceWithoutTest } from "./source-without-test.ts";
import { sqlFromStrings } from "./sql-from-strings.ts";
import { sqlWithoutWhere } from "./sql-without-where.ts";
import { straySemicolon } from "./stray-semicolon.ts";
import { stringComparedSecret } from "./string-compared-secret.ts";
import { switchFallthrough } from "./switch-fallthrough.ts";
import { terraformOpenIngress } from "./terraform-open-ingress.ts";
import { uncheckedGoError } from "./unchecked-go-error.ts";
import { unpinnedAction } from "./unpinned-action.ts";
import { unreachableCode } from "./unreachable-code.ts";
import { unsafeDeserialisation } from "./unsafe-deserialisation.ts";
import { unusedImport } from "./unused-import.ts";
import { unusedPrivate } from "./unused-private.ts";
import { unusedResult } from "./unused-result.ts";
import { unusedVariable } from "./unused-variable.ts";
import { weakCipher } from "./weak-cipher.ts";
import { weakPasswordHash } from "./weak-password-hash.ts";
import { weakRandomSecret } from "./weak-random-secret.ts";
import { weakenedTest } from "./weakened-test.ts";
import { workflowBroadPermissions } from "./workflow-broad-permissions.ts";
import { workflowScriptInjection } from "./workflow-script-injection.ts";
import { workflowSecretEcho } from "./workflow-secret-echo.ts";
import { worldWritablePermission } from "./world-writable-permission.ts";
import { xmlExternalEntities } from "./xml-external-entities.ts";

export const ALL_RULES: readonly FloorRule[] = [
  assignmentInCondition,
  bareExcept,
  brokenLink,
  cBitPrecedence,
  cBuiltCommand,
  cFormatString,
  cGetcharChar,
  cLeakOnReturn,
  cMemoryArguments,
  cPathFromRequest,
  cPredictableTempFile,
  cReallocSelf,
  cReturnsLocal,
  cSizeofPointer,
  cStringCompared,
  cUnboundedCopy,
  cUncheckedAllocation,
  cUninitialized,
  cUseAfterFree,
  callNotAdapted,
  changedWhileIterating,
  collectionChangedInLoop,
  committedArtefact,
  comparisonWithoutEffect,
  conflictMarker,
  contradictoryCondition,
  copiedField,
  corsWildcardCredentials,
  counterDirection,
  cppDanglingTemporary,
  cppDeleteMismatch,
  cppExceptionByValue,
  cppMissingVirtualDestructor,
  cppUncheckedFind,
  cppUseAfterMove,
  csharpAsyncLambdaLost,
  csharpAsyncVoid,
  csharpBlockingWait,
  csharpClientPerCall,
  csharpEqualsWithoutHash,
  csharpLockTarget,
  csharpLoopCapture,
  csharpPropertyRecursion,
  csharpSleepInAsync,
  csharpThrowEx,
  csharpUnawaitedTask,
  csharpUndisposed,
  csrfProtectionOff,
  datePattern,
  dependencyAdvisory,
  dependencyCallSite,
  dependencySupplyChain,
  dependencyTampering,
  destructiveMigration,
  diffHidingAttributes,
  disabledTlsInShell,
  disabledTlsVerification,
  docParameterMismatch,
  dockerfileLatestBase,
  dockerfileRemoteAdd,
  dockerfileSecret,
  duplicateKey,
  duplicateTestName,
  emptyCatch,
  evalOfInput,
  exceptionNotThrown,
  floatingPromise,
  focusedTest,
  formatArguments,
  goBareDuration,
  goBodyNotClosed,
  goBusySelect,
  goDecodeIntoValue,
  goDeferInLoop,
  goDiscardedCancel,
  goErrorResponseContinues,
  goInvertedError,
  goLockCopied,
  goLostError,
  goNilMapWrite,
  goResponseBeforeError,
  goTrimCutset,
  goUsedBeforeError,
  goWaitgroupAdd,
  hiddenCharacters,
  htmlFromInput,
  identicalBranches,
  identicalOperands,
  infiniteRecursion,
  insecureCookie,
  integerDivision,
  invertedNullGuard,
  javaEqualsHashcode,
  javaMisusedCall,
  javaNullUnboxing,
  javaObjectIdentity,
  javaStringIdentity,
  javaSwallowedInterrupt,
  javaUnclosedResource,
  javaUnsafeSharing,
  jsArrayCallbackAsync,
  jsMapParseInt,
  jsNumberSort,
  jsPromiseNeverSettles,
  jsTimerCall,
  jwtVerificationOff,
  k8sPrivilegedContainer,
  kodiaiConfigChanged,
  leftoverDebugger,
  lengthNeverNegative,
  localeWrongLanguage,
  lockNotReleased,
  madeExecutable,
  manifestWithoutLock,
  misspelling,
  misspeltName,
  mutableDefaultArgument,
  nullableLookup,
  offByOneBound,
  pathFromInput,
  phpDebugOutput,
  phpExtractRequest,
  phpLooseHash,
  phpMissingReturn,
  phpRedirectWithoutExit,
  phpReferenceLeft,
  phpRemovedFunction,
  phpStrposTruth,
  phpSwappedArguments,
  phpThisInStatic,
  phpUndefinedVariable,
  phpUnimportedException,
  productOverflow,
  promiseInCondition,
  pythonIsLiteral,
  pythonUnawaitedCoroutine,
  reactEffectLeak,
  readModifyWrite,
  redirectFromInput,
  removedCheck,
  removedExportUsed,
  removedNullCheck,
  removedTest,
  repeatedCondition,
  requestFromInput,
  returnInFinally,
  reversedOperator,
  reviewerInjection,
  riskyWorkflowTrigger,
  rubyBangResult,
  rubyDuplicateMethod,
  rubyIneffectivePrivate,
  rubyPermitAll,
  rubyRescueException,
  rubySafeNavigationChain,
  rubySharedDefault,
  rubyUnclosedFile,
  rustBlockingAsync,
  rustDiscardedGuard,
  rustDoubleBorrow,
  rustGuardAcrossAwait,
  rustIgnoredResult,
  rustLeftoverTodo,
  rustLengthTruncated,
  rustMemUninitialized,
  rustStaticMut,
  rustUncheckedText,
  rustUnwrapInput,
  secretInCode,
  secretInDescription,
  selfAssignment,
  shadowedHandler,
  shellArgumentCount,
  shellArrayBound,
  shellCurlPipe,
  shellEndlessLoop,
  shellErrexitCounter,
  shellEvalInput,
  shellFindDelete,
  shellFromStrings,
  shellHeredocQuoting,
  shellInvertedCheck,
  shellLockRace,
  shellLostStatus,
  shellOctalNumber,
  shellOptionParsing,
  shellOverwritesFile,
  shellPipeHidesFailure,
  shellPredictableTemp,
  shellRmUnguarded,
  shellSecretShown,
  shellSharedVariable,
  shellSubshellExit,
  shellTrapReplaced,
  shellUnsetCheck,
  shellVersionOrder,
  skippedTest,
  sourceWithoutTest,
  sqlFromStrings,
  sqlWithoutWhere,
  straySemicolon,
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
  worldWritablePermission,
  xmlExternalEntities,
];
