import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "cs-path-combine",
    language: "csharp",
    kind: "request input in a file path",
    path: "Api/Endpoints/InvoiceFiles.cs",
    before: null,
    after: `using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

namespace Ledger.Api.Endpoints;

public static class InvoiceFiles
{
    private const string Root = "/data/invoices";

    public static void MapInvoiceFiles(this WebApplication app)
    {
        app.MapGet("/invoices/file", (HttpContext http) =>
        {
            var name = http.Request.Query["name"].ToString();
            var bytes = System.IO.File.ReadAllBytes(System.IO.Path.Combine(Root, name));
            return Results.File(bytes, "application/pdf");
        });
    }
}
`,
    line: 15,
    severity: "must-fix",
  },
  {
    id: "cs-open-redirect",
    language: "csharp",
    kind: "request input in redirect",
    path: "Web/Controllers/SignInController.cs",
    before: `using System.Threading.Tasks;
using Microsoft.AspNetCore.Identity;
using Microsoft.AspNetCore.Mvc;

namespace Ledger.Web.Controllers;

public class SignInController : Controller
{
    private readonly SignInManager<IdentityUser> _signIn;

    public SignInController(SignInManager<IdentityUser> signIn) => _signIn = signIn;

    [HttpPost("/sign-in")]
    [ValidateAntiForgeryToken]
    public async Task<IActionResult> Post(SignInForm form, string returnUrl)
    {
        var result = await _signIn.PasswordSignInAsync(form.Email, form.Password, form.Remember, true);
        if (!result.Succeeded)
        {
            return View("Index", form);
        }
        return LocalRedirect(returnUrl);
    }
}
`,
    after: `using System.Threading.Tasks;
using Microsoft.AspNetCore.Identity;
using Microsoft.AspNetCore.Mvc;

namespace Ledger.Web.Controllers;

public class SignInController : Controller
{
    private readonly SignInManager<IdentityUser> _signIn;

    public SignInController(SignInManager<IdentityUser> signIn) => _signIn = signIn;

    [HttpPost("/sign-in")]
    [ValidateAntiForgeryToken]
    public async Task<IActionResult> Post(SignInForm form, string returnUrl)
    {
        var result = await _signIn.PasswordSignInAsync(form.Email, form.Password, form.Remember, true);
        if (!result.Succeeded)
        {
            return View("Index", form);
        }
        return Redirect(returnUrl);
    }
}
`,
    line: 22,
    severity: "major",
  },
  {
    id: "cs-not-disposed",
    language: "csharp",
    kind: "stream never closed",
    path: "Core/Export/CsvWriter.cs",
    before: `using System.Collections.Generic;
using System.IO;

namespace Ledger.Core.Export;

public sealed class CsvWriter
{
    public int Write(string path, IEnumerable<string[]> rows)
    {
        var count = 0;
        using var writer = new StreamWriter(path);
        foreach (var row in rows)
        {
            writer.WriteLine(string.Join(';', row));
            count++;
        }
        return count;
    }
}
`,
    after: `using System.Collections.Generic;
using System.IO;

namespace Ledger.Core.Export;

public sealed class CsvWriter
{
    public int Write(string path, IEnumerable<string[]> rows)
    {
        var count = 0;
        var writer = new StreamWriter(path);
        foreach (var row in rows)
        {
            writer.WriteLine(string.Join(';', row));
            count++;
        }
        return count;
    }
}
`,
    line: 11,
    severity: "major",
  },
  {
    id: "cs-modified-in-foreach",
    language: "csharp",
    kind: "list changed while iterating",
    path: "Core/Scheduling/Agenda.cs",
    before: null,
    after: `using System;
using System.Collections.Generic;

namespace Ledger.Core.Scheduling;

public sealed class Agenda
{
    private readonly List<Appointment> appointments = new();

    public void Add(Appointment appointment) => appointments.Add(appointment);

    public int DropPast(DateTimeOffset now)
    {
        var dropped = 0;
        foreach (var appointment in appointments)
        {
            if (appointment.EndsAt < now)
            {
                appointments.Remove(appointment);
                dropped++;
            }
        }
        return dropped;
    }
}
`,
    line: 19,
    severity: "must-fix",
  },
  {
    id: "cs-same-operands",
    language: "csharp",
    kind: "both sides of an operator are equal",
    path: "Core/Money/Range.cs",
    before: `using System;

namespace Ledger.Core.Money;

public readonly struct Range : IEquatable<Range>
{
    public decimal Min { get; }
    public decimal Max { get; }

    public Range(decimal min, decimal max)
    {
        Min = min;
        Max = max;
    }

    public bool Equals(Range other) => Min == other.Min && Max == other.Max;

    public override bool Equals(object? obj) => obj is Range other && Equals(other);

    public override int GetHashCode() => HashCode.Combine(Min, Max);
}
`,
    after: `using System;

namespace Ledger.Core.Money;

public readonly struct Range : IEquatable<Range>
{
    public decimal Min { get; }
    public decimal Max { get; }

    public Range(decimal min, decimal max)
    {
        Min = min;
        Max = max;
    }

    public bool Equals(Range other) => Min == other.Min && Max == Max;

    public override bool Equals(object? obj) => obj is Range other && Equals(other);

    public override int GetHashCode() => HashCode.Combine(Min, Max);
}
`,
    line: 16,
    severity: "must-fix",
  },
  {
    id: "cs-as-no-null-check",
    language: "csharp",
    kind: "null result used without a check",
    path: "Core/Events/Dispatcher.cs",
    before: null,
    after: `using System.Collections.Generic;

namespace Ledger.Core.Events;

public class Dispatcher
{
    private readonly List<object> handlers = new();

    public void Subscribe(object handler)
    {
        handlers.Add(handler);
    }

    public int Publish<T>(T message)
    {
        var handled = 0;
        foreach (var entry in handlers)
        {
            var handler = entry as IHandler<T>;
            handler.Handle(message);
            handled++;
        }
        return handled;
    }
}
`,
    line: 20,
    severity: "major",
  },
  {
    id: "cs-certificate-callback",
    language: "csharp",
    kind: "TLS verification turned off",
    path: "Infra/Http/PartnerClient.cs",
    before: `using System;
using System.Net.Http;

namespace Ledger.Infra.Http;

public static class PartnerClient
{
    public static HttpClient Create(Uri baseAddress, string apiVersion)
    {
        var handler = new HttpClientHandler
        {
            AllowAutoRedirect = false,
        };
        var client = new HttpClient(handler) { BaseAddress = baseAddress };
        client.DefaultRequestHeaders.Add("X-Api-Version", apiVersion);
        return client;
    }
}
`,
    after: `using System;
using System.Net.Http;

namespace Ledger.Infra.Http;

public static class PartnerClient
{
    public static HttpClient Create(Uri baseAddress, string apiVersion)
    {
        var handler = new HttpClientHandler
        {
            AllowAutoRedirect = false,
            ServerCertificateCustomValidationCallback = (_, _, _, _) => true,
        };
        var client = new HttpClient(handler) { BaseAddress = baseAddress };
        client.DefaultRequestHeaders.Add("X-Api-Version", apiVersion);
        return client;
    }
}
`,
    line: 13,
    severity: "must-fix",
  },
  {
    id: "cs-empty-catch",
    language: "csharp",
    kind: "exception swallowed",
    path: "Core/Sync/LedgerSync.cs",
    before: null,
    after: `using System;
using System.Threading;
using System.Threading.Tasks;

namespace Ledger.Core.Sync;

public class LedgerSync
{
    private readonly IRemoteLedger remote;
    private readonly ILocalLedger local;

    public LedgerSync(IRemoteLedger remote, ILocalLedger local)
    {
        this.remote = remote;
        this.local = local;
    }

    public async Task PushAsync(CancellationToken token)
    {
        foreach (var entry in await local.PendingAsync(token))
        {
            try
            {
                await remote.PostAsync(entry, token);
            }
            catch (Exception)
            {
            }
            await local.MarkPostedAsync(entry.Id, token);
        }
    }
}
`,
    line: 26,
    severity: "major",
  },
  {
    id: "cs-raw-html",
    language: "csharp",
    kind: "request input in HTML",
    path: "Web/Handlers/UnsubscribeHandler.cs",
    before: `using System.Threading.Tasks;
using System.Web;
using Microsoft.AspNetCore.Http;

namespace Ledger.Web.Handlers;

public class UnsubscribeHandler
{
    private readonly ISubscriptions subscriptions;

    public UnsubscribeHandler(ISubscriptions subscriptions) => this.subscriptions = subscriptions;

    public async Task Handle(HttpContext context)
    {
        string email = context.Request.Query["email"];
        await subscriptions.RemoveAsync(email);
        context.Response.ContentType = "text/html";
        await context.Response.WriteAsync($"<p>{HttpUtility.HtmlEncode(email)} was removed.</p>");
    }
}
`,
    after: `using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;

namespace Ledger.Web.Handlers;

public class UnsubscribeHandler
{
    private readonly ISubscriptions subscriptions;

    public UnsubscribeHandler(ISubscriptions subscriptions) => this.subscriptions = subscriptions;

    public async Task Handle(HttpContext context)
    {
        string email = context.Request.Query["email"];
        await subscriptions.RemoveAsync(email);
        context.Response.ContentType = "text/html";
        await context.Response.WriteAsync($"<p>{email} was removed.</p>");
    }
}
`,
    line: 17,
    severity: "must-fix",
  },
];
