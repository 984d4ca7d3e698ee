/* The driver of CUDA devices: libcuda, which is looked up when it is first needed. Each call has a
   stream of its own while it runs, so that calls of several threads run side by side. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

@driver.h@
#define ST_EXPORT __attribute__((visibility("default")))

@times.h@
@cuda_library.c@
@cuda_memory.c@
@cuda_streams.c@
@allocator.h@
@wide.h@
@cuda_pool.c@
@cuda_copies.c@
@cuda_products.c@
@cuda_biases.c@
@cuda_graphs.c@
@cuda_calls.c@
@cuda_transforms.c@
@cuda_batches.c@
@cuda_matrices.c@
@cuda_convolutions.c@
@cuda_poolings.c@
static const st_driver st_cuda = {
    NULL,
    st_cuda_begin,
    st_cuda_end,
    st_cuda_launch,
    st_cuda_to_device,
    st_cuda_to_host,
    st_cuda_allocate,
    st_cuda_multiply,
    st_cuda_transform,
    st_cuda_matrices,
    st_cuda_convolve,
    st_cuda_pooling,
    st_cuda_tick,
};
/* -- modules ---------------------------------------------------------------------------------- */

static int32_t st_load_into(st_module *module, int32_t device, const void *image, int32_t count,
                       const char *const *names) {
    const st_place *const place = st_enter_device(device);
    if (!place) return 1;
    module->device = device;
    module->context = place->context;
    int code = cuda.ModuleLoad(&module->module, image);
    for (int32_t k = 0; k < count && code == 0; k++) {
        code = cuda.ModuleFunction(&module->kernels[k], module->module, names[k]);
    }
    st_leave();
    return code == 0 ? 0 : st_failed("the kernels can't be loaded", code);
}

static void st_free_module(st_module *module) {
    free(module->refusal);
    for (char **sizes = module->sizes; sizes && *sizes; sizes++) free(*sizes);
    free(module->sizes);
    free(module);
}

static st_module *st_new_module(int32_t count, const char *const *sizes) {
    st_module *const module = calloc(1, sizeof *module + (size_t)count * sizeof(st_handle));
    if (module) module->sizes = calloc((size_t)count + 1, sizeof *module->sizes);
    bool complete = module && module->sizes;
    for (int32_t k = 0; k < count && complete; k++) {
        complete = (module->sizes[k] = strdup(sizes[k])) != NULL;
    }
    if (complete) return module;
    snprintf(st_why, sizeof st_why, "the host has no memory for the kernels");
    if (module) st_free_module(module);
    return NULL;
}

/* Load kernels onto a device, by their names, and the sizes of their arguments, which are bytes of a
   text. What is returned is a driver; NULL if that fails. */
ST_EXPORT st_driver *st_load(int32_t device, const void *image, int32_t count,
                             const char *const *names, const char *const *sizes) {
    st_module *const module = st_new_module(count, sizes);
    if (!module) return NULL;
    module->driver = st_cuda;
    pthread_mutex_init(&module->lock, NULL);
    if (st_load_into(module, device, image, count, names) != 0) {
        st_free_module(module);
        return NULL;
    }
    pthread_mutex_lock(&st_modules_lock);
    module->next = st_modules, module->link = &st_modules;
    if (st_modules) st_modules->link = &module->next;
    st_modules = module;
    pthread_mutex_unlock(&st_modules_lock);
    return &module->driver;
}

/* Say why no call can be part of a graph that a caller captures. */
ST_EXPORT void st_keep_from_graphs(st_driver *driver, const char *why) {
    ((st_module *)driver)->refusal = strdup(why);
}

static void st_free_calls(st_cuda_call *call) {
    for (st_cuda_call *next; call; call = next) {
        next = call->next;
        cuda.StreamSynchronize(call->stream);
        st_free_pieces(call, &call->pieces);
        st_free_work(call);
        st_free_queue(call->queue);
        for (int k = 0; k < 2; k++) {
            if (call->done[k]) cuda.EventDestroy(call->done[k]);
        }
        cuda.StreamDestroy(call->stream);
        st_free_events(call->events);
        free(call);
    }
}

/* Unload kernels; no call of theirs runs. */
ST_EXPORT void st_unload(st_driver *driver) {
    st_module *const module = (st_module *)driver;
    if (st_is_child) return;
    pthread_mutex_lock(&st_modules_lock);
    *module->link = module->next;
    if (module->next) module->next->link = module->link;
    pthread_mutex_unlock(&st_modules_lock);
    if (st_enter(module->context) == 0) {
        st_free_calls(module->idle);
        st_free_calls(module->captured);
        cuda.ModuleUnload(module->module);
        st_leave();
    }
    st_free_module(module);
}
