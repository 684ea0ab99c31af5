import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "java-command-exec",
    language: "java",
    kind: "request input in shell command",
    path: "app/src/main/java/io/depot/git/CloneController.java",
    before: null,
    after: `package io.depot.git;

import java.io.IOException;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class CloneController {

    @PostMapping("/clone")
    ResponseEntity<String> cloneRepository(@RequestParam("url") String url)
            throws IOException, InterruptedException {
        Process process = Runtime.getRuntime().exec(new String[] {"sh", "-c", "git clone " + url + " /work"});
        int code = process.waitFor();
        return code == 0 ? ResponseEntity.ok("cloned") : ResponseEntity.status(502).body("failed");
    }
}
`,
    line: 15,
    severity: "critical",
  },
  {
    id: "java-object-input",
    language: "java",
    kind: "unsafe deserialization",
    path: "app/src/main/java/io/depot/queue/JobEndpoint.java",
    before: null,
    after: `package io.depot.queue;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;

@Path("/jobs")
public class JobEndpoint {
    private final JobQueue queue = JobQueue.shared();

    @POST
    @Consumes("application/octet-stream")
    public Response submit(InputStream body) throws IOException {
        try (ObjectInputStream in = new ObjectInputStream(body)) {
            queue.add((Job) in.readObject());
            return Response.accepted().build();
        } catch (ClassNotFoundException e) {
            return Response.status(400).build();
        }
    }
}
`,
    line: 19,
    severity: "critical",
  },
  {
    id: "java-integer-equality",
    language: "java",
    kind: "boxed numbers compared by reference",
    path: "core/src/main/java/io/depot/stock/Reconciler.java",
    before: `package io.depot.stock;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

public class Reconciler {

    public List<String> differences(Map<String, Integer> expected, Map<String, Integer> counted) {
        List<String> skus = new ArrayList<>();
        for (Map.Entry<String, Integer> entry : expected.entrySet()) {
            Integer planned = entry.getValue();
            Integer found = counted.get(entry.getKey());
            if (!planned.equals(found)) {
                skus.add(entry.getKey());
            }
        }
        return skus;
    }
}
`,
    after: `package io.depot.stock;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

public class Reconciler {

    public List<String> differences(Map<String, Integer> expected, Map<String, Integer> counted) {
        List<String> skus = new ArrayList<>();
        for (Map.Entry<String, Integer> entry : expected.entrySet()) {
            Integer planned = entry.getValue();
            Integer found = counted.get(entry.getKey());
            if (planned != found) {
                skus.add(entry.getKey());
            }
        }
        return skus;
    }
}
`,
    line: 14,
    severity: "must-fix",
  },
  {
    id: "java-int-overflow",
    language: "java",
    kind: "integer multiplication before widening",
    path: "core/src/main/java/io/depot/cache/Ttl.java",
    before: `package io.depot.cache;

public final class Ttl {
    private final long millis;

    private Ttl(long millis) {
        this.millis = millis;
    }

    public static Ttl ofHours(int hours) {
        return new Ttl(hours * 3_600_000L);
    }

    public static Ttl ofDays(int days) {
        return new Ttl(days * 86_400_000L);
    }

    public long expiresAt(long now) {
        return now + millis;
    }
}
`,
    after: `package io.depot.cache;

public final class Ttl {
    private final long millis;

    private Ttl(long millis) {
        this.millis = millis;
    }

    public static Ttl ofHours(int hours) {
        return new Ttl(hours * 3_600_000L);
    }

    public static Ttl ofDays(int days) {
        long millis = days * 24 * 60 * 60 * 1000;
        return new Ttl(millis);
    }

    public long expiresAt(long now) {
        return now + millis;
    }
}
`,
    line: 15,
    severity: "major",
  },
  {
    id: "java-finally-return",
    language: "java",
    kind: "return in finally hides the exception",
    path: "core/src/main/java/io/depot/lock/LockRunner.java",
    before: null,
    after: `package io.depot.lock;

import java.util.concurrent.Callable;
import java.util.concurrent.locks.Lock;

public final class LockRunner {
    private final Lock lock;

    public LockRunner(Lock lock) {
        this.lock = lock;
    }

    public <T> T run(Callable<T> work, T fallback) throws Exception {
        T value = fallback;
        lock.lock();
        try {
            value = work.call();
        } finally {
            lock.unlock();
            return value;
        }
    }
}
`,
    line: 20,
    severity: "must-fix",
  },
  {
    id: "java-trust-all",
    language: "java",
    kind: "TLS verification turned off",
    path: "client/src/main/java/io/depot/client/Connections.java",
    before: null,
    after: `package io.depot.client;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

final class Connections {
    static SSLContext context() throws GeneralSecurityException {
        TrustManager[] managers = {
            new X509TrustManager() {
                @Override
                public void checkClientTrusted(X509Certificate[] chain, String type) {}

                @Override
                public void checkServerTrusted(X509Certificate[] chain, String type) {}

                @Override
                public X509Certificate[] getAcceptedIssuers() {
                    return new X509Certificate[0];
                }
            }
        };
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers, new SecureRandom());
        return context;
    }
}
`,
    line: 18,
    also: [12, 13, 27],
    severity: "must-fix",
  },
  {
    id: "java-pre-authorize-removed",
    language: "java",
    kind: "permission check removed",
    path: "app/src/main/java/io/depot/admin/UserAdmin.java",
    before: `package io.depot.admin;

import java.util.List;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class UserAdmin {
    private final Users users;

    UserAdmin(Users users) {
        this.users = users;
    }

    @GetMapping("/admin/users")
    @PreAuthorize("hasRole('ADMIN')")
    List<User> all() {
        return users.all();
    }

    @DeleteMapping("/admin/users/{id}")
    @PreAuthorize("hasRole('ADMIN')")
    void remove(@PathVariable long id) {
        users.remove(id);
    }
}
`,
    after: `package io.depot.admin;

import java.util.List;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class UserAdmin {
    private final Users users;

    UserAdmin(Users users) {
        this.users = users;
    }

    @GetMapping("/admin/users")
    @PreAuthorize("hasRole('ADMIN')")
    List<User> all() {
        return users.all();
    }

    @DeleteMapping("/admin/users/{id}")
    void remove(@PathVariable long id) {
        users.remove(id);
    }
}
`,
    line: 25,
    side: "old",
    severity: "must-fix",
  },
  {
    id: "java-loop-bound",
    language: "java",
    kind: "index past the end",
    path: "core/src/main/java/io/depot/text/Wrap.java",
    before: null,
    after: `package io.depot.text;

import java.util.ArrayList;
import java.util.List;

public final class Wrap {
    private Wrap() {}

    public static List<String> wrap(String text, int width) {
        String[] words = text.split("\\\\s+");
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (int i = 0; i <= words.length; i++) {
            if (line.length() + words[i].length() + 1 > width && line.length() > 0) {
                lines.add(line.toString());
                line.setLength(0);
            }
            if (line.length() > 0) {
                line.append(' ');
            }
            line.append(words[i]);
        }
        lines.add(line.toString());
        return lines;
    }
}
`,
    line: 13,
    also: [14],
    severity: "must-fix",
  },
  {
    id: "java-wait-no-interrupt",
    language: "java",
    kind: "exception swallowed",
    path: "core/src/main/java/io/depot/jobs/Importer.java",
    before: `package io.depot.jobs;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

public class Importer {
    private final Catalog catalog;

    public Importer(Catalog catalog) {
        this.catalog = catalog;
    }

    public int importFile(Path file) throws IOException {
        int imported = 0;
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                catalog.add(Item.parse(line));
                imported++;
            }
        }
        return imported;
    }
}
`,
    after: `package io.depot.jobs;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

public class Importer {
    private final Catalog catalog;

    public Importer(Catalog catalog) {
        this.catalog = catalog;
    }

    public int importFile(Path file) throws IOException {
        int imported = 0;
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                catalog.add(Item.parse(line));
                imported++;
            }
        } catch (IOException e) {
        }
        return imported;
    }
}
`,
    line: 22,
    severity: "major",
  },
];
