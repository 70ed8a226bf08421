// Does a workspace have the memory that it needs, where it needs it?
#include "engine/dynamics/workspace.h"
#include "support/testing.h"

#include <stdalign.h>
#include <stdlib.h>

// Loads of four doubles at once may trap elsewhere; malloc promises 16 bytes only.
static void every_workspace_lies_where_its_vectors_may(void **state)
{
  (void)state;
  testing_random random = testing_random_start(1);
  srs_model *model = testing_random_model(&random, 3, NULL, 0, 0.5);
  srs_workspace *workspaces[16];
  void *between[16];
  for (int i = 0; i < 16; i++) {
    between[i] = malloc(8 + 16 * (size_t)i); // moves the heap's end by odd multiples of 16 bytes
    assert_non_null(between[i]);
    assert_int_equal(srs_workspace_create(model, &workspaces[i], NULL), SRS_OK);
    assert_int_equal((uintptr_t)workspaces[i] % alignof(srs_workspace), 0);
    assert_int_equal((uintptr_t)workspaces[i]->place % alignof(placement), 0);
  }
  for (int i = 0; i < 16; i++) {
    srs_workspace_destroy(workspaces[i]);
    free(between[i]);
  }
  srs_model_destroy(model);
}

static void a_workspace_without_a_model_is_refused(void **state)
{
  (void)state;
  srs_workspace *workspace = NULL;
  srs_error error;
  assert_int_equal(srs_workspace_create(NULL, &workspace, &error), SRS_ERROR_ARGUMENT);
  assert_null(workspace);
  assert_int_equal(srs_workspace_create(NULL, NULL, NULL), SRS_ERROR_ARGUMENT);
  srs_workspace_destroy(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_workspace_lies_where_its_vectors_may),
      cmocka_unit_test(a_workspace_without_a_model_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
